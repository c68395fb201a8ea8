// What TypeScript says of wrong options while they are written, for those who write JavaScript.

import { inspect } from "node:util";
import type { CommonOptions, FlowOptions, TaskOptions } from "./options.ts";

interface Bound {
  readonly isFit: (value: number) => boolean;
  readonly what: string;
}

const isWholeFrom =
  (least: number) =>
  (n: number): boolean =>
    n >= least && (Number.isInteger(n) || n === Number.POSITIVE_INFINITY);

const WHOLE: Bound = { isFit: isWholeFrom(0), what: "a whole number from 0, or Infinity" };
const ONE_OR_MORE: Bound = { isFit: isWholeFrom(1), what: "a whole number from 1, or Infinity" };
const ABOVE: Bound = { isFit: (n) => n > 0, what: "a number above 0" };
const FROM_ZERO: Bound = { isFit: (n) => n >= 0, what: "a number from 0" };

/** What a number must be; null where something else is given. */
type Bounds<Options> = Readonly<Record<keyof Options, Bound | null>>;

const COMMON: Bounds<CommonOptions<readonly unknown[]>> = {
  name: null,
  description: null,
  version: null,
  tags: null,
  runName: null,
  retries: WHOLE,
  // A number, a list of them or a function.
  retryDelaySeconds: null,
  retryJitter: FROM_ZERO,
  retryIf: null,
  timeoutSeconds: ABOVE,
  resultStorage: null,
  onRunning: null,
  onCompletion: null,
  onFailure: null,
  onCancellation: null,
  onCrashed: null,
};

const FLOW: Bounds<FlowOptions> = {
  ...COMMON,
  parameters: null,
  taskConcurrency: ONE_OR_MORE,
  keepResults: null,
  onCrash: null,
  captureConsole: null,
};

const TASK: Bounds<TaskOptions> = {
  ...COMMON,
  cacheKey: null,
  // With 0 each call makes its result anew.
  cacheSeconds: FROM_ZERO,
  refreshCache: null,
  keepResult: null,
  waitFor: null,
};

const BOUNDS = {
  flow: new Map<string, Bound | null>(Object.entries(FLOW)),
  task: new Map<string, Bound | null>(Object.entries(TASK)),
};

export const OPTION_NAMES: readonly string[] = [...BOUNDS.flow.keys(), ...BOUNDS.task.keys()];

type Kind = keyof typeof BOUNDS;
type Options = Readonly<Record<string, unknown>>;

/** Throws if one of the options has a name that there is not, or a number that makes no sense. */
export function checkOptions(kind: Kind, name: string, options: object): void {
  const given = options as Options;
  const stranger = Object.keys(given).find(
    (option) => given[option] !== undefined && !BOUNDS[kind].has(option),
  );
  if (stranger !== undefined) {
    throw new TypeError(`The ${kind} ${name} has an option ${stranger}, which there is not`);
  }
  for (const [option, bound] of BOUNDS[kind]) {
    if (bound !== null) check({ place: `${option} of the ${kind} ${name}`, bound }, given[option]);
  }
  const { retryDelaySeconds: delay } = given;
  if (typeof delay === "function") return;
  const place = `retryDelaySeconds of the ${kind} ${name}`;
  for (const one of Array.isArray(delay) ? delay : [delay]) check({ place, bound: FROM_ZERO }, one);
}

function check(
  { place, bound }: { readonly place: string; readonly bound: Bound },
  value: unknown,
): void {
  if (value === undefined || (typeof value === "number" && bound.isFit(value))) return;
  throw new TypeError(`${place} is ${bound.what}, not ${inspect(value)}`);
}
