import { isMap, type JsonMap, readJson, writeJson } from "@orchestrator/exact-json";
import { inlineBudget, renderBudget, type TemplateContext } from "@orchestrator/jinja";
import {
  type Compute,
  computeJob,
  inlineOrOnThread,
  threadModule,
} from "@orchestrator/kernel/compute";
import type * as jobs from "./hydrate-jobs.ts";
import { type Hydration, hydrateOnce, MAX_DEPTH, type PassResult } from "./hydrate-once.ts";

export type { Hydration };

/** Reads variables by name; those that do not exist are left out of the answer. */
export type VariableLookup = (names: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

type OnThread = (job: jobs.HydrateJob) => Promise<jobs.HydrateJobResult>;

export interface HydrationOptions {
  readonly compute: Compute;
  /** Null where their values cannot be known yet: what asks for one is left as it is. */
  readonly variables: VariableLookup | null;
  /** Whether templates are rendered; those that are not are only checked. @default true */
  readonly isRendered?: boolean;
  /** What templates see. @default nothing */
  readonly context?: HydrationContext;
}

/** What templates see, here and on a thread. */
export interface HydrationContext {
  readonly values: TemplateContext;
  readonly onThread: OnThread;
  /** Too large to be looked at in the event loop. */
  readonly isLarge: boolean;
}

/** The name of a variable may itself come from a placeholder, and so on. */
const MAX_ROUNDS = 5;

const module = threadModule(import.meta.url, "hydrate-jobs");
const TITLE = "The template";
const withoutContext = computeJob<typeof jobs.hydrateWithoutContext>(
  module,
  "hydrateWithoutContext",
  TITLE,
);
const unrendered = computeJob<typeof jobs.hydrateUnrendered>(module, "hydrateUnrendered", TITLE);

/**
 * Works out every placeholder in a value: `{"__prefect_kind": "json", "value": "[1]"}` becomes
 * `[1]`.
 */
export async function hydrate(value: unknown, options: HydrationOptions): Promise<Hydration> {
  const { variables: lookup } = options;
  const variables = lookup === null ? null : new Map<string, unknown>();
  const asked = new Set<string>();
  const pass = passesOf(options);
  for (let round = 1; ; round += 1) {
    const { names, ...hydration } = await pass(value, variables);
    const missing = [...names].filter((name) => !asked.has(name));
    if (lookup === null || missing.length === 0 || round === MAX_ROUNDS) return hydration;
    for (const name of missing) asked.add(name);
    for (const [name, found] of await lookup(missing)) variables?.set(name, found);
  }
}

type Variables = ReadonlyMap<string, unknown> | null;

/**
 * Walks through the value, in the event loop where its templates are provably cheap. All walks
 * share one budget.
 */
function passesOf({
  compute,
  isRendered = true,
  context,
}: HydrationOptions): (value: unknown, variables: Variables) => Promise<PassResult> {
  const job = isRendered ? withoutContext : unrendered;
  const onThread = context?.onThread ?? ((input) => compute.run(job, input));
  const shown = isRendered ? (context?.values ?? {}) : null;
  const inline = inlineBudget();
  if (context?.isLarge === true) inline.remainingSteps = 0;
  let { remainingSteps } = renderBudget();
  return (value, variables) =>
    inlineOrOnThread(
      () => hydrateOnce(value, { variables, context: shown, budget: inline }),
      async () => {
        const text = textOf(value);
        if (text === null) return TOO_DEEP;
        const pairs = variables === null ? null : writeJson([...variables]);
        const done = await onThread({ value: text, variables: pairs, remainingSteps });
        ({ remainingSteps } = done);
        return { ...done, value: done.value === null ? undefined : readJson(done.value) };
      },
    );
}

const TOO_DEEP: PassResult = {
  value: null,
  problems: [{ path: [], message: `is nested more than ${MAX_DEPTH} deep` }],
  unrendered: [],
  names: new Set(),
};

/** Null for what is nested deeper than the stack. */
function textOf(value: unknown): string | null {
  try {
    return writeJson(value);
  } catch {
    return null;
  }
}

/** Parameters are an object, also when all that was given is a placeholder without a value. */
export async function hydrateParameters(
  parameters: JsonMap,
  options: HydrationOptions,
): Promise<Hydration & { readonly value: JsonMap }> {
  const { value, problems, unrendered: left } = await hydrate(parameters, options);
  if (value === undefined) return { value: {}, problems, unrendered: left };
  if (isMap(value)) return { value, problems, unrendered: left };
  const problem = { path: [], message: "must be an object" };
  return { value: {}, problems: problems.length > 0 ? problems : [problem], unrendered: left };
}
