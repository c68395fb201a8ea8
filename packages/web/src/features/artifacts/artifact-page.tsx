import type { Artifact } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { runNames } from "../../api/names.ts";
import { errorText } from "../../lib/error-text.ts";
import { shortly } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Select } from "../../ui/form.tsx";
import { Card, Empty, Facts, NoticeBox, PageFrame, Skeleton } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { ArtifactView } from "./artifact-view.tsx";
import { artifactOf, historyOf, MOST_VERSIONS, runIdsOf } from "./artifacts-queries.ts";

const CRUMBS = [{ label: "Artifacts", to: "/artifacts" }];

/** One key and its versions, of which one is shown. */
export function ArtifactPage({ params }: PageProps): JSX.Element {
  const key = params["key"] ?? "";
  const [{ version }, setSearch] = useSearch((search) => ({
    version: search.get("version") || undefined,
  }));
  const { data, error } = useQuery(historyOf(key));
  const newest = data?.[0];
  const whole = useQuery(artifactOf(version ?? newest?.id));
  // One that is older than those in the list is shown as well.
  const older = whole.data?.key === key ? whole.data : undefined;
  const shown = version === undefined ? newest : (data?.find(({ id }) => id === version) ?? older);
  const versions = [...(data ?? []), ...(shown && shown === older ? [shown] : [])];
  const runs = useQuery(runNames(runIdsOf(versions))).data;
  return (
    <PageFrame title={key} crumbs={CRUMBS}>
      {whole.error && <NoticeBox kind="error">{errorText(whole.error)}</NoticeBox>}
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {data === undefined && !error && <Skeleton lines={6} />}
      {whole.data && whole.data.key !== key && (
        <NoticeBox kind="error">This artifact has no such version.</NoticeBox>
      )}
      {data?.length === 0 && (
        <Card>
          <Empty icon="artifact" title="No artifact with this key" />
        </Card>
      )}
      {shown && data && (
        <>
          <Card
            title={shown === newest ? "Latest version" : `Of ${shortly(shown.created)}`}
            actions={
              <div style={{ width: 250, maxWidth: "100%" }}>
                <Select
                  aria-label="Version"
                  value={shown.id}
                  options={versions.map(({ id, created }) => [
                    id,
                    `${shortly(created)}${id === newest?.id ? " (latest)" : ""}`,
                  ])}
                  onValue={(id) => setSearch({ version: id === newest?.id ? "" : id })}
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
                ["Created", <Ago time={shown.created} />],
                ["Updated", <Ago time={shown.updated} />],
                ...Object.entries(shown.metadata_ ?? {}),
              ]}
            />
          </Card>
        </>
      )}
      {data && data.length > 0 && (
        <Card flush title="History">
          <Table
            label="Versions"
            rows={data}
            keyOf={({ id }) => id}
            empty={null}
            columns={[
              {
                title: "Created",
                look: "fill",
                cell: ({ id, created }) => (
                  <PageLink to={`/artifacts/${encodeURIComponent(key)}?version=${id}`}>
                    <Ago time={created} />
                  </PageLink>
                ),
              },
              { title: "Type", cell: ({ type }) => type ?? "–" },
              { title: "Run", cell: (artifact) => <RunOf artifact={artifact} runs={runs} /> },
            ]}
          />
          {data.length >= MOST_VERSIONS && (
            <p className="pager">Only the latest {MOST_VERSIONS} are listed.</p>
          )}
        </Card>
      )}
    </PageFrame>
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
    <PageLink to={`/runs/${id}`} className="nowrap">
      {runs?.get(id) ?? id.slice(0, 8)}
    </PageLink>
  );
}
