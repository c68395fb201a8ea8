import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Link } from "../../app/link.tsx";
import { useSearch } from "../../app/location.ts";
import { readPagedSearch } from "../../app/paged-search.ts";
import { errorText } from "../../lib/error-text.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, Notice, Page, Tags } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { allBlocks } from "./blocks-queries.ts";

export function BlocksPage(): JSX.Element {
  const [{ text = "" }, setSearch] = useSearch(readPagedSearch);
  const { data, error } = useQuery(allBlocks(text));
  return (
    <Page
      title="Blocks"
      actions={
        <Link to="/blocks/new" className={buttonClass({ kind: "primary" })}>
          <Icon name="plus" /> New block
        </Link>
      }
    >
      <div className="row">
        <SearchBox
          label="Name of the block"
          value={text}
          onValue={(typed) => setSearch({ text: typed })}
        />
      </div>
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <Card flush>
        <Table
          label="Blocks"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            text === "" ? (
              <Empty icon="block" title="No blocks yet">
                <p>
                  A block keeps an address and its secrets under a name: where notifications go,
                  where results are stored, a password that flows read. Secrets are sealed and never
                  shown again.
                </p>
                <Link to="/blocks/new" className={buttonClass({ kind: "primary" })}>
                  Choose a type
                </Link>
              </Empty>
            ) : (
              <Empty icon="filter" title="No block has that name" />
            )
          }
          columns={[
            {
              title: "Block",
              look: "fill",
              cell: ({ id, name }) => (
                <div className="cut">
                  <Link to={`/blocks/${id}`}>{name}</Link>
                </div>
              ),
            },
            {
              title: "Type",
              cell: ({ block_type_name }) => <span className="nowrap">{block_type_name}</span>,
            },
            {
              title: "Can",
              look: "wide",
              cell: ({ block_schema }) => <Tags tags={block_schema?.capabilities ?? []} />,
            },
            { title: "Changed", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
          ]}
        />
      </Card>
    </Page>
  );
}
