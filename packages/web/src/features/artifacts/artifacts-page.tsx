import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { curlTo } from "../../api/curl.ts";
import { runNames } from "../../api/names.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import { Select } from "../../ui/form.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Pager, Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { latestArtifacts, runIdsOf } from "./artifacts-queries.ts";

const TYPES = ["markdown", "table", "link", "progress", "image", "result"];

type ArtifactsSearch = { readonly text?: string; readonly type?: string; readonly page?: string };

function readSearch(search: URLSearchParams): ArtifactsSearch {
  const names = ["text", "type", "page"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** What runs left behind: the newest of each key. */
export function ArtifactsPage(): JSX.Element {
  const [search, setSearch] = useSearch(readSearch);
  const { text, type } = search;
  const page = pageOf(search);
  const { data, error } = useQuery(latestArtifacts({ text, type, page }));
  const runs = useQuery(runNames(runIdsOf(data?.rows))).data;
  return (
    <PageFrame title="Artifacts">
      <search className="row filters">
        <SearchBox
          label="Artifact key"
          value={text ?? ""}
          onValue={(typed) => setSearch({ text: typed, page: "" })}
        />
        <div className="filter">
          <Select
            aria-label="Type"
            value={type ?? ""}
            options={[["", "All types"], ...TYPES.map((name) => [name, name] as const)]}
            onValue={(chosen) => setSearch({ type: chosen, page: "" })}
          />
        </div>
      </search>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush>
        <Table
          label="Artifacts"
          rows={data?.rows}
          keyOf={({ id }) => id}
          empty={
            text || type ? (
              <Empty icon="filter" title="No matching artifacts" />
            ) : (
              <Empty icon="artifact" title="No artifacts yet" command={EXAMPLE}>
                <p>
                  Reports, tables, links and progress that runs publish. Artifacts with the same key
                  are versions of each other.
                </p>
              </Empty>
            )
          }
          columns={[
            {
              title: "Key",
              look: "fill",
              cell: ({ key, description }) => (
                <>
                  <div className="cut">
                    <PageLink to={`/artifacts/${encodeURIComponent(key)}`}>{key}</PageLink>
                  </div>
                  {description && <div className="cut soft">{plain(description)}</div>}
                </>
              ),
            },
            { title: "Type", cell: ({ type: kind }) => kind ?? "–" },
            {
              title: "Run",
              look: "wide",
              cell: ({ flow_run_id: id }) =>
                id ? (
                  <PageLink to={`/runs/${id}`} className="nowrap">
                    {runs?.get(id) ?? id.slice(0, 8)}
                  </PageLink>
                ) : (
                  "–"
                ),
            },
            { title: "Updated", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
          ]}
        />
        {data && (
          <Pager
            page={page}
            pages={data.pages}
            count={data.count}
            what="key"
            onPage={(next) => setSearch({ page: String(next) })}
          />
        )}
      </Card>
    </PageFrame>
  );
}

/** Markdown on one line, without its signs. */
const plain = (text: string): string => text.replace(/[*_`#>]/g, "");

const EXAMPLE = `${curlTo("/artifacts/")} \\
  -d '{"key": "daily-report", "type": "markdown", "data": "# All is well"}'`;
