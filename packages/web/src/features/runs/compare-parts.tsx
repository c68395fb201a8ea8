// What the tables of two runs have in common.
import type { FlowRun } from "@orchestrator/contract";
import type { JSX } from "react";
import { durationLabel } from "../../lib/time.ts";

/** How much longer the second took, in seconds; nothing where there is nothing to compare. */
export function Difference({
  a,
  b,
}: {
  readonly a: number | null | undefined;
  readonly b: number | null | undefined;
}): JSX.Element {
  if (a == null || b == null) return <span className="faint">–</span>;
  const more = b - a;
  const sign = more < 0 ? "−" : "+";
  return (
    <span className="num nowrap">
      {more === 0 ? "0s" : `${sign}${durationLabel(Math.abs(more))}`}
    </span>
  );
}

/** Above what is told of it; a long name leaves room for the others. */
export function RunTitle({ run: { name } }: { readonly run: FlowRun }): JSX.Element {
  return (
    <span className="cut" style={{ display: "block", maxWidth: "min(240px, 20vw)" }} title={name}>
      {name}
    </span>
  );
}
