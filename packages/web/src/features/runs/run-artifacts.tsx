import type { Artifact, FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { ArtifactView } from "../artifacts/artifact-view.tsx";
import { artifactsOf } from "./run-page-queries.ts";

export function RunArtifacts({ run }: { readonly run: FlowRun }): JSX.Element {
  const { data } = useQuery(artifactsOf(run.id));
  const shown = data?.rows.filter(({ type }) => type !== "result");
  if (shown?.length === 0)
    return (
      <Card>
        <Empty icon="artifact" title="No artifacts">
          <p>Tables, text, links and progress that the run publishes are shown here.</p>
        </Empty>
      </Card>
    );
  return (
    <div className="stack">
      {data?.hasData === false && (
        <NoticeBox>Together they are too large to show here. Open one by its key.</NoticeBox>
      )}
      {shown?.map((artifact) => (
        <Card key={artifact.id} title={artifact.key ?? artifact.type ?? "Artifact"}>
          {data?.hasData ? <ArtifactView artifact={artifact} /> : <LinkTo artifact={artifact} />}
        </Card>
      ))}
    </div>
  );
}

function LinkTo({ artifact: { id, key, type } }: { readonly artifact: Artifact }): JSX.Element {
  if (key === null) return <code>{`GET /artifacts/${id}`}</code>;
  return (
    <PageLink to={`/artifacts/${encodeURIComponent(key)}?version=${id}`}>Open the {type}</PageLink>
  );
}
