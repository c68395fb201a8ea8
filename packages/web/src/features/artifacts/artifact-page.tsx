import type { Artifact } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Link } from "../../app/link.tsx";
import { useSearch } from "../../app/location.ts";
import type { PageProps } from "../../app/page-props.ts";
import { errorText } from "../../lib/error-text.ts";
import { shortly } from "../../lib/time.ts";
import { Select } from "../../ui/form.tsx";
import { Card, Empty, Facts, Notice, Page, Skeleton } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { runNames } from "../runs/run-queries.ts";
import { ArtifactView } from "./artifact-view.tsx";
import { artifactOf, historyOf, runIdsOf } from "./artifacts-queries.ts";

const CRUMBS = [{ label: "Artifacts", to: "/artifacts" }];

/** One key and its versions, of which one is shown. */
export function ArtifactPage({ params }: PageProps): JSX.Element {
  const key = params["key"] ?? "";
  const [{ version }, setSearch] = useSearch((search) => ({
    version: search.get("version") ?? undefined,
  }));
  const { data, error } = useQuery(historyOf(key));
  const runs = useQuery(runNames(runIdsOf(data))).data;
  const shown = data?.find(({ id }) => id === version) ?? data?.[0];
  const whole = useQuery(artifactOf(shown?.id));
  return (
    <Page title={key} crumbs={CRUMBS}>
      {whole.error && <Notice kind="error">{errorText(whole.error)}</Notice>}
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      {data === undefined && !error && <Skeleton lines={6} />}
      {data?.length === 0 && (
        <Card>
          <Empty icon="artifact" title="There is no artifact with this key" />
        </Card>
      )}
      {shown && data && (
        <>
          <Card
            title={shown === data[0] ? "The newest" : `Of ${shortly(shown.created)}`}
            actions={
              <div style={{ width: 250, maxWidth: "100%" }}>
                <Select
                  aria-label="Version"
                  value={shown.id}
                  options={data.map(({ id, created }, i) => [
                    id,
                    `${shortly(created)}${i === 0 ? " (newest)" : ""}`,
                  ])}
                  onValue={(id) => setSearch({ version: id === data[0]?.id ? "" : id })}
                />
              </div>
            }
          >
            {whole.data ? <ArtifactView artifact={whole.data} /> : <Skeleton lines={6} />}
          </Card>
          <Card>
            <Facts
              items={[
                ["Type", shown.type],
                ["Run", <RunOf artifact={shown} runs={runs} />],
                ["Made", <Ago time={shown.created} />],
                ["Changed", <Ago time={shown.updated} />],
                ...Object.entries(shown.metadata_ ?? {}),
              ]}
            />
          </Card>
          <Card flush title="History">
            <Table
              label="Versions"
              rows={data}
              keyOf={({ id }) => id}
              empty={null}
              columns={[
                {
                  title: "Made",
                  look: "fill",
                  cell: ({ id, created }) => (
                    <Link to={`/artifacts/${encodeURIComponent(key)}?version=${id}`}>
                      <Ago time={created} />
                    </Link>
                  ),
                },
                { title: "Type", cell: ({ type }) => type ?? "–" },
                { title: "Run", cell: (artifact) => <RunOf artifact={artifact} runs={runs} /> },
              ]}
            />
          </Card>
        </>
      )}
    </Page>
  );
}

function RunOf({
  artifact: { flow_run_id: id },
  runs,
}: {
  readonly artifact: Artifact;
  readonly runs: ReadonlyMap<string, string> | undefined;
}): JSX.Element {
  if (id === null) return <span className="faint">–</span>;
  return (
    <Link to={`/runs/${id}`} className="nowrap">
      {runs?.get(id) ?? id.slice(0, 8)}
    </Link>
  );
}
