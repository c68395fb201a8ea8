import "./table.css";
import type { JSX, ReactNode } from "react";
import { counted } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Skeleton } from "./surface.tsx";

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /**
   * `fill` takes the room that is left; `wide` is left out on narrow screens; `end` is for numbers.
   */
  readonly look?: "fill" | "wide" | "end" | "wide end";
}

/** Rows of one kind. `empty` stands where there are none. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
}): JSX.Element {
  if (rows === undefined)
    return (
      <div style={{ padding: 16 }}>
        <Skeleton lines={6} />
      </div>
    );
  if (rows.length === 0) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y: a box that scrolls must be reachable by keyboard
    <div className="table-box" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, look }, i) => (
              <th key={i} scope="col" className={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ cell, look }, i) => (
                <td key={i} className={look}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Pager({
  page,
  pages,
  count,
  what,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly count: number;
  /** One of them. */
  readonly what: string;
  readonly onPage: (page: number) => void;
}): JSX.Element | null {
  if (count === 0) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="num">{counted(count, what)}</span>
      {pages > 1 && (
        <span className="row">
          <Button small icon="left" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <span className="num">
            {page} of {pages}
          </span>
          <Button small disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
