// What threads do for `hydrate.ts`.

import { readJson, writeJson } from "@orchestrator/exact-json";
import { renderBudget, type TemplateContext } from "@orchestrator/jinja";
import { hydrateOnce, type PassResult } from "./hydrate-once.ts";

/** As texts, because a thread is sent plain data and long numbers are none. */
export interface HydrateJob {
  readonly value: string;
  /** Pairs of names and values. */
  readonly variables: string | null;
  readonly remainingSteps: number;
}

export interface HydrateJobResult extends Omit<PassResult, "value"> {
  /** Null where there is no value. */
  readonly value: string | null;
  readonly remainingSteps: number;
}

export function hydrateWith(
  { value, variables, remainingSteps }: HydrateJob,
  context: TemplateContext | null,
): HydrateJobResult {
  const budget = renderBudget(remainingSteps);
  const pairs = variables === null ? null : (readJson(variables) as [string, unknown][]);
  const known = { context, budget, variables: pairs === null ? null : new Map(pairs) };
  const { value: hydrated, ...result } = hydrateOnce(readJson(value), known);
  const text = hydrated === undefined ? null : writeJson(hydrated);
  return { ...result, value: text, remainingSteps: budget.remainingSteps };
}

export const hydrateWithoutContext = (job: HydrateJob): HydrateJobResult => hydrateWith(job, {});

/** Templates are only checked. */
export const hydrateUnrendered = (job: HydrateJob): HydrateJobResult => hydrateWith(job, null);
