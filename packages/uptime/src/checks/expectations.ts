// What is expected of an answer: its status, what its body holds and does not hold, and values in its JSON.

import { STATUS_CODES } from "node:http";
import { Int, JsonValue, Model, StringEnum } from "@orchestrator/contract";
import {
  type DecodedBody,
  isSameJson,
  readJson,
  withoutFraction,
  writeJson,
} from "@orchestrator/kernel";
import { type Static, Type } from "typebox";
import type { CheckRun } from "./check.ts";
import { ABSENT, parsePath, valueAt } from "./json-path.ts";
import { type Finding, shown } from "./outcome.ts";
import { MAX_TEXT } from "./parts.ts";

/** What a failed expectation makes of the check. */
const SEVERITIES = ["fail", "warn"] as const;

const Severity = StringEnum(SEVERITIES, {
  description: "`fail`, which is meant when it is left out, makes the check down, `warn` degraded",
});

const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT });

const TextExpectation = Model({ text: Text, severity: Type.Optional(Severity) });
type TextExpectation = Static<typeof TextExpectation>;

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
type JsonComparison = (typeof JSON_COMPARISONS)[number];

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
  value: Type.Optional(JsonValue({ maxJsonLength: MAX_TEXT })),
  severity: Type.Optional(Severity),
});
type JsonExpectation = Static<typeof JsonExpectation>;

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
type Texts = Static<ReturnType<typeof Texts>>;

/** What is expected of a body. */
interface Expectations {
  readonly contains?: Texts;
  readonly not_contains?: Texts;
  readonly json?: readonly JsonExpectation[];
}

export interface Judged {
  readonly findings: readonly Finding[];
  /** For the details: each expectation, met or not. */
  readonly assertions: readonly Readonly<Record<string, unknown>>[];
}

/** Reachable with issues is degraded; what was expected is up, and what was not is down. */
export function judgeStatus(code: number, expected: Statuses | undefined): Finding {
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

export function wantsText({ contains, not_contains, json }: Expectations): boolean {
  return [contains, not_contains, json].some((given) => given !== undefined && given.length > 0);
}

export function judgeBody(config: Expectations, body: DecodedBody, hide: CheckRun["hide"]): Judged {
  const judge = (given: Texts | undefined, isWanted: boolean): readonly Verdict[] =>
    texts(given).map((expectation) => judgeText(expectation, body, isWanted));
  const verdicts = [
    ...judge(config.contains, true),
    ...judge(config.not_contains, false),
    ...judgeJson(config.json ?? [], body, hide),
  ];
  return {
    findings: verdicts.filter(({ passed }) => !passed).map(findingOf),
    assertions: verdicts.map(({ problem, ...verdict }) => ({
      ...verdict,
      ...(!verdict.passed && { problem }),
    })),
  };
}

interface Verdict {
  readonly assertion: string;
  readonly passed: boolean;
  readonly severity: "fail" | "warn";
  readonly problem: string;
  readonly seen?: string;
}

const findingOf = ({ severity, problem }: Verdict): Finding => ({
  status: severity === "warn" ? "degraded" : "down",
  text: problem,
});

function texts(given: Texts | undefined): readonly TextExpectation[] {
  const list = given === undefined ? [] : typeof given === "string" ? [given] : given;
  return list.map((item) => (typeof item === "string" ? { text: item } : item));
}

function judgeText(
  { text, severity = "fail" }: TextExpectation,
  body: DecodedBody,
  isWanted: boolean,
): Verdict {
  const isThere = body.text.includes(text);
  const name = quoted(text);
  const told = isWanted ? `the body does not hold ${name}` : `the body holds ${name}`;
  const part = isWanted && body.isCut ? " in its first MiB" : "";
  // What cannot be read neither holds a text nor is it known not to.
  return {
    assertion: `${isWanted ? "contains" : "does not contain"} ${name}`,
    passed: isThere === isWanted && body.problem === null,
    severity,
    problem: body.problem ?? `${told}${part}`,
  };
}

function judgeJson(
  expectations: readonly JsonExpectation[],
  body: DecodedBody,
  hide: CheckRun["hide"],
): readonly Verdict[] {
  if (expectations.length === 0) return [];
  const document = parsed(body);
  return expectations.map((expectation) => {
    const { path, comparison = "==", value, severity = "fail" } = expectation;
    const isUnary = comparison === "exists" || comparison === "absent";
    const assertion = isUnary ? `${path} ${comparison}` : `${path} ${comparison} ${json(value)}`;
    const verdict = { assertion: shown(assertion, hide), severity };
    const steps = parsePath(path);
    if (steps === null)
      return { ...verdict, passed: false, problem: `${quoted(path)} is not a path` };
    if ("problem" in document) return { ...verdict, passed: false, problem: document.problem };
    const found = valueAt(document.value, steps);
    const seen = shown(found === ABSENT ? "nothing" : json(found), hide);
    const problem = `expected ${verdict.assertion}, but it is ${seen}`;
    return { ...verdict, passed: compares(found, comparison, value), problem, seen };
  });
}

function parsed(body: DecodedBody): { readonly value: unknown } | { readonly problem: string } {
  if (body.problem !== null) return { problem: body.problem };
  if (body.isCut) return { problem: "the body is longer than 1 MiB" };
  try {
    return { value: readJson(body.text) as unknown };
  } catch {
    return { problem: "the body is not JSON" };
  }
}

function compares(found: unknown, comparison: JsonComparison, value: unknown): boolean {
  if (comparison === "absent") return found === ABSENT;
  if (found === ABSENT) return false;
  switch (comparison) {
    case "exists":
      return true;
    case "==":
      return isSameJson(found, value);
    case "!=":
      return !isSameJson(found, value);
    case "contains":
      return holds(found, value);
    case "<":
      return isOrdered(found, value, (order) => order < 0);
    case "<=":
      return isOrdered(found, value, (order) => order <= 0);
    case ">":
      return isOrdered(found, value, (order) => order > 0);
    case ">=":
      return isOrdered(found, value, (order) => order >= 0);
  }
}

function holds(found: unknown, value: unknown): boolean {
  if (typeof found === "string") return typeof value === "string" && found.includes(value);
  return Array.isArray(found) && found.some((item) => isSameJson(item, value));
}

/** Numbers with numbers and texts with texts; nothing else has an order. */
function isOrdered(seen: unknown, wanted: unknown, test: (order: number) => boolean): boolean {
  const found = withoutFraction(seen);
  const value = withoutFraction(wanted);
  if (isNumber(found) && isNumber(value)) return test(orderOf(found, value));
  if (typeof found !== "string" || typeof value !== "string") return false;
  return test(orderOf(found, value));
}

const orderOf = <T extends string | number | bigint>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** A whole number that is too long for a number is a bigint. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isInRange(code: number, range: string): boolean {
  const [from = "", to = from] = range.split("-");
  return code >= Number(from) && code <= Number(to);
}

const MAX_QUOTED = 60;
const quoted = (text: string): string =>
  json(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text);
const json = (value: unknown): string => writeJson(value) ?? "nothing";
