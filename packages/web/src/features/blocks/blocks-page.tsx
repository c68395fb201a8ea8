import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { readPagedSearch } from "../../navigation/paged-search.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { allBlocks } from "./blocks-queries.ts";

export function BlocksPage(): JSX.Element {
  const [{ text = "" }, setSearch] = useSearch(readPagedSearch);
  const { data, error } = useQuery(allBlocks(text));
  return (
    <ListPage
      title="Blocks"
      actions={
        <LinkButton to="/blocks/new" needs="write" kind="primary" icon="plus">
          New block
        </LinkButton>
      }
      search={{ what: "block", text, onText: (typed) => setSearch({ text: typed }) }}
      rows={data}
      error={error}
      empty={
        <Empty
          icon="block"
          title="No blocks yet"
          command="orchestrator block create slack-webhook ops --secret url"
        >
          <p>
            A block stores an address and its secrets under a name: where notifications go, where
            results are stored, a password that flows read. Secrets are encrypted and never shown
            again.
          </p>
          <LinkButton to="/blocks/new" needs="write" kind="primary">
            Choose a type
          </LinkButton>
        </Empty>
      }
      columns={[
        {
          title: "Block",
          look: "fill",
          cell: ({ id, name }) => (
            <div className="cut">
              <PageLink to={`/blocks/${id}`}>{name}</PageLink>
            </div>
          ),
        },
        {
          title: "Type",
          cell: ({ block_type_name }) => <span className="nowrap">{block_type_name}</span>,
        },
        {
          title: "Capabilities",
          look: "wide",
          cell: ({ block_schema }) => <TagChips tags={block_schema?.capabilities ?? []} />,
        },
        { title: "Updated", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
      ]}
    />
  );
}
