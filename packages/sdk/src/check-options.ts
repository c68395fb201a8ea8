// What TypeScript says of wrong options while they are written, for those who write JavaScript.

import { inspect } from "node:util";

const COMMON = [
  "name",
  "description",
  "version",
  "tags",
  "runName",
  "retries",
  "retryDelaySeconds",
  "retryJitter",
  "retryIf",
  "timeoutSeconds",
  "resultStorage",
  "onRunning",
  "onCompletion",
  "onFailure",
  "onCancellation",
  "onCrashed",
];

const NAMES = {
  flow: new Set([...COMMON, "parameters", "taskConcurrency", "keepResults", "captureConsole"]),
  task: new Set([...COMMON, "cacheKey", "cacheSeconds", "refreshCache", "keepResult", "waitFor"]),
};

type Kind = keyof typeof NAMES;
type Options = Readonly<Record<string, unknown>>;

interface Bound {
  readonly isFit: (value: number) => boolean;
  readonly what: string;
}

const WHOLE: Bound = { isFit: (n) => Number.isInteger(n) && n >= 0, what: "a whole number from 0" };
const ABOVE: Bound = { isFit: (n) => n > 0, what: "a number above 0" };
const FROM_ZERO: Bound = { isFit: (n) => n >= 0, what: "a number from 0" };
const BOUNDS: Readonly<Record<string, Bound>> = {
  retries: WHOLE,
  retryJitter: FROM_ZERO,
  timeoutSeconds: ABOVE,
  cacheSeconds: ABOVE,
};

/** Throws if one of the options has a name that there is not, or a number that makes no sense. */
export function checkOptions(kind: Kind, name: string, options: object): void {
  const given = options as Options;
  const stranger = Object.keys(given).find(
    (option) => given[option] !== undefined && !NAMES[kind].has(option),
  );
  if (stranger !== undefined) {
    throw new TypeError(`The ${kind} ${name} has an option ${stranger}, which there is not`);
  }
  for (const [option, bound] of Object.entries(BOUNDS)) {
    check({ place: `${option} of the ${kind} ${name}`, bound }, given[option]);
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
