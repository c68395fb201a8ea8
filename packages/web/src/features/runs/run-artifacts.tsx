import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { Card, Empty } from "../../ui/surface.tsx";
import { ArtifactView } from "../artifacts/artifact-view.tsx";
import { artifactsOf } from "./run-page-queries.ts";

export function RunArtifacts({ run }: { readonly run: FlowRun }): JSX.Element {
  const shown = useQuery(artifactsOf(run.id)).data?.filter(({ type }) => type !== "result");
  if (shown?.length === 0)
    return (
      <Card>
        <Empty icon="artifact" title="No artifacts">
          <p>Tables, texts, links and progress that the run leaves behind are shown here.</p>
        </Empty>
      </Card>
    );
  return (
    <div className="stack">
      {shown?.map((artifact) => (
        <Card key={artifact.id} title={artifact.key ?? artifact.type ?? "Artifact"}>
          <ArtifactView artifact={artifact} />
        </Card>
      ))}
    </div>
  );
}
