// Whether a body holds what is expected of it, in the event loop or on a thread.

import { isSameJson, readJson, withoutFraction, writeJson } from "@orchestrator/exact-json";
import type {
  EvaluatedBody,
  Expectations,
  JsonComparison,
  JsonExpectation,
  TextExpectation,
  Texts,
} from "./expectations.ts";
import { ABSENT, parsePath, valueAt } from "./json-path.ts";
import type { CheckFinding } from "./outcome.ts";
import { printableLine } from "./printable-line.ts";

type Hide = (text: string) => string;

/** A body as it was decoded. */
export interface ResponseBody {
  readonly text: string;
  readonly isCut: boolean;
  readonly problem: string | null;
}

export function evaluateBody(config: Expectations, body: ResponseBody, hide: Hide): EvaluatedBody {
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

const findingOf = ({ severity, problem }: Verdict): CheckFinding => ({
  status: severity === "warn" ? "degraded" : "down",
  text: problem,
});

function texts(given: Texts | undefined): readonly TextExpectation[] {
  const list = given === undefined ? [] : typeof given === "string" ? [given] : given;
  return list.map((item) => (typeof item === "string" ? { text: item } : item));
}

function judgeText(
  { text, severity = "fail" }: TextExpectation,
  body: ResponseBody,
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
  body: ResponseBody,
  hide: Hide,
): readonly Verdict[] {
  if (expectations.length === 0) return [];
  const document = parsed(body);
  return expectations.map((expectation) => {
    const { path, comparison = "==", value, severity = "fail" } = expectation;
    const isUnary = comparison === "exists" || comparison === "absent";
    const assertion = isUnary ? `${path} ${comparison}` : `${path} ${comparison} ${json(value)}`;
    const verdict = { assertion: printableLine(assertion, hide), severity };
    const steps = parsePath(path);
    if (steps === null)
      return { ...verdict, passed: false, problem: `${quoted(path)} is not a path` };
    if ("problem" in document) return { ...verdict, passed: false, problem: document.problem };
    const found = valueAt(document.value, steps);
    const seen = printableLine(found === ABSENT ? "nothing" : json(found), hide);
    const problem = `expected ${verdict.assertion}, but it is ${seen}`;
    return { ...verdict, passed: compares(found, comparison, value), problem, seen };
  });
}

function parsed(body: ResponseBody): { readonly value: unknown } | { readonly problem: string } {
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

const MAX_QUOTED = 60;
const quoted = (text: string): string =>
  json(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text);
const json = (value: unknown): string => writeJson(value) ?? "nothing";
