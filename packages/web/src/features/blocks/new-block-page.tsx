import type { BlockSchema } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith, useSearch } from "../../navigation/location.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame, Skeleton, TagChips } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { BlockForm } from "./block-form.tsx";
import { blockCatalogue } from "./blocks-queries.ts";

const CRUMBS = [{ label: "Blocks", to: "/blocks" }];

type NewBlockSearch = {
  readonly type?: string;
  readonly capability?: string;
  readonly text?: string;
};

function readSearch(search: URLSearchParams): NewBlockSearch {
  const names = ["type", "capability", "text"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

export function NewBlockPage(): JSX.Element {
  const [search, setSearch] = useSearch(readSearch);
  const { data, error } = useQuery(blockCatalogue);
  const chosen = data?.find(({ block_type }) => block_type?.slug === search.type);
  if (chosen) return <NewBlock schema={chosen} />;
  return (
    <PageFrame title="New block" crumbs={CRUMBS} about="Choose a block type.">
      <div className="row">
        <SearchBox
          label="Type name"
          value={search.text ?? ""}
          onValue={(text) => setSearch({ text })}
        />
      </div>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {data === undefined ? <Skeleton lines={8} /> : <Catalogue schemas={data} search={search} />}
    </PageFrame>
  );
}

function Catalogue({
  schemas,
  search: { text = "", capability },
}: {
  readonly schemas: readonly BlockSchema[];
  readonly search: NewBlockSearch;
}): JSX.Element {
  const wanted = text.toLowerCase();
  const shown = schemas.filter(
    ({ block_type, capabilities }) =>
      (capability === undefined || capabilities.includes(capability)) &&
      `${block_type?.name} ${block_type?.description}`.toLowerCase().includes(wanted),
  );
  if (shown.length === 0) return <Empty icon="filter" title="No matching block types" />;
  return (
    <div className="grid">
      {shown.map(({ id, block_type, capabilities }) => (
        <Card
          key={id}
          title={
            <PageLink to={pathWith("/blocks/new", { type: block_type?.slug ?? "" })}>
              {block_type?.name}
            </PageLink>
          }
        >
          <div className="stack-tight">
            <div className="soft">
              <Markdown text={block_type?.description ?? "Custom block type."} />
            </div>
            <TagChips tags={capabilities} />
          </div>
        </Card>
      ))}
    </div>
  );
}

function NewBlock({ schema }: { readonly schema: BlockSchema }): JSX.Element {
  const queries = useQueryClient();
  const type = schema.block_type;
  return (
    <PageFrame
      title={`New ${type?.name ?? "block"}`}
      crumbs={[...CRUMBS, { label: "Types", to: "/blocks/new" }]}
      about={type?.description && <Markdown text={type.description} />}
    >
      <Card>
        <BlockForm
          schema={schema.fields}
          verb="Create block"
          onSave={async (name, data) => {
            const { id } = await api.blockDocuments.create({
              name,
              data,
              block_type_id: schema.block_type_id,
              block_schema_id: schema.id,
            });
            await queries.invalidateQueries({ queryKey: ["blocks"] });
            toast("good", `Created ${name}`);
            navigate(`/blocks/${id}`);
          }}
        />
      </Card>
    </PageFrame>
  );
}
