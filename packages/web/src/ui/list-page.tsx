import type { JSX, ReactNode } from "react";
import { errorText } from "../lib/error-text.ts";
import { SearchBox } from "./search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "./surface.tsx";
import { type Column, Table } from "./table.tsx";

/** As many as the server sends at once. */
const MOST = 200;

/**
 * All of one kind in a table. What can be searched says what has no such name; what is cut short
 * says so.
 */
export function ListPage<Row extends { readonly id: string }>({
  title,
  about,
  actions,
  search,
  rows,
  error,
  columns,
  empty,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions: ReactNode;
  readonly search?: {
    /** One of what is listed, such as "variable". */
    readonly what: string;
    readonly text: string;
    readonly onText: (text: string) => void;
  };
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly columns: readonly Column<Row>[];
  /** What stands there as long as there are none at all. */
  readonly empty: ReactNode;
  /** Dialogs. */
  readonly children?: ReactNode;
}): JSX.Element {
  return (
    <PageFrame title={title} about={about} actions={actions}>
      {search && (
        <div className="row">
          <SearchBox
            label={`Search ${search.what}s by name`}
            value={search.text}
            onValue={search.onText}
          />
        </div>
      )}
      {error != null && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <Table
          label={title}
          rows={rows}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            search && search.text !== "" ? (
              <Empty icon="filter" title={`No matching ${search.what}s`} />
            ) : (
              empty
            )
          }
        />
        {rows && rows.length >= MOST && <p className="pager">Only the first {MOST} are shown.</p>}
      </Card>
      {children}
    </PageFrame>
  );
}
