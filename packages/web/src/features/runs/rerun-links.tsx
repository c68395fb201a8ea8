import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { MAX_RERUNS, rerunsOf } from "./run-page-queries.ts";

type Fact = readonly [string, JSX.Element];

/** The run that this one reruns, and the reruns of this one; nothing where there are none. */
export function useRerunFacts(run: FlowRun): readonly Fact[] {
  const { id, created_by, deployment_id, end_time } = run;
  const enabled = deployment_id !== null && end_time !== null;
  const reruns = useQuery({ ...rerunsOf(id), enabled }).data ?? [];
  const original = created_by?.type === "RERUN" ? created_by : null;
  const facts: Fact[] = [];
  if (original?.id) {
    const name = original.display_value ?? original.id;
    facts.push(["Rerun of", <PageLink to={`/runs/${original.id}`}>{name}</PageLink>]);
  }
  if (reruns.length > 0) facts.push(["Reruns", <Reruns reruns={reruns} />]);
  return facts;
}

function Reruns({ reruns }: { readonly reruns: readonly FlowRun[] }): JSX.Element {
  return (
    <>
      {reruns.slice(0, MAX_RERUNS).map(({ id, name }, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <PageLink to={`/runs/${id}`}>{name}</PageLink>
        </span>
      ))}
      {reruns.length > MAX_RERUNS && <span className="soft"> and older runs</span>}
    </>
  );
}
