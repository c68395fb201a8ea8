// What is expected of an answer: its status, what its body holds and does not hold, and values in
// its JSON.

import { STATUS_CODES } from "node:http";
import { Int, JsonValue, Model, StringEnum } from "@orchestrator/contract";
import { type Static, Type } from "typebox";
import type { CheckFinding } from "./outcome.ts";
import { MAX_OPTION_LENGTH } from "./parts.ts";

/** What a failed expectation makes of the check. */
const SEVERITIES = ["fail", "warn"] as const;

const Severity = StringEnum(SEVERITIES, {
  description: "`fail`, which is meant when it is left out, makes the check down, `warn` degraded",
});

const Text = Type.String({ minLength: 1, maxLength: MAX_OPTION_LENGTH });

const TextExpectation = Model({ text: Text, severity: Type.Optional(Severity) });
export type TextExpectation = Static<typeof TextExpectation>;

/** A text alone means that the check fails without it. */
export const Texts = (description: string) =>
  Type.Unsafe<string | readonly (string | TextExpectation)[]>({
    anyOf: [Text, { type: "array", items: { anyOf: [Text, TextExpectation] }, maxItems: 20 }],
    description,
  });

const JSON_COMPARISONS = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "exists",
  "absent",
] as const;
export type JsonComparison = (typeof JSON_COMPARISONS)[number];

export const JsonExpectation = Model({
  path: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "Where the value stands: `status`, `checks[0].state`, `$.data.items`",
  }),
  comparison: Type.Optional(
    StringEnum(JSON_COMPARISONS, {
      description: "`==` when left out; `exists` and `absent` need no value",
    }),
  ),
  value: Type.Optional(JsonValue({ maxJsonLength: MAX_OPTION_LENGTH })),
  severity: Type.Optional(Severity),
});
export type JsonExpectation = Static<typeof JsonExpectation>;

/** A status code or `"200-299"`. */
export const ExpectedStatus = Type.Unsafe<readonly (number | string)[]>({
  type: "array",
  items: {
    anyOf: [
      { type: "string", pattern: "^[1-5][0-9]{2}(?:-[1-5][0-9]{2})?$" },
      Int({ minimum: 100, maximum: 599 }),
    ],
  },
  minItems: 1,
  maxItems: 50,
  description: "Status codes and ranges such as `200-299`; any other is down",
});

type Statuses = Static<typeof ExpectedStatus>;
export type Texts = Static<ReturnType<typeof Texts>>;

/** What is expected of a body. */
export interface Expectations {
  readonly contains?: Texts;
  readonly not_contains?: Texts;
  readonly json?: readonly JsonExpectation[];
}

export interface EvaluatedBody {
  readonly findings: readonly CheckFinding[];
  /** For the details: each expectation, met or not. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
}

/** Reachable with issues is degraded; what was expected is up, and what was not is down. */
export function evaluateStatus(code: number, expected: Statuses | undefined): CheckFinding {
  const text = statusText(code);
  if (expected === undefined) return { status: code >= 400 ? "degraded" : "up", text };
  if (expected.some((range) => isInRange(code, String(range)))) return { status: "up", text };
  return { status: "down", text: `${text}, expected ${expected.join(" or ")}` };
}

/** Our own words: those of the answer could be anything. */
export function statusText(code: number): string {
  const phrase = STATUS_CODES[code];
  return phrase === undefined ? String(code) : `${code} ${phrase}`;
}

export function expectsText({ contains, not_contains, json }: Expectations): boolean {
  return [contains, not_contains, json].some((given) => given !== undefined && given.length > 0);
}

function isInRange(code: number, range: string): boolean {
  const [from = "", to = from] = range.split("-");
  return code >= Number(from) && code <= Number(to);
}
