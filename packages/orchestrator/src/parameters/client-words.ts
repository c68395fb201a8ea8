import { isMap } from "@orchestrator/exact-json";
import {
  exactNumberOf,
  type FoundProblem,
  isWhole,
  type Violation,
} from "@orchestrator/json-schema";
import type { JsonPath, ValueProblem } from "@orchestrator/json-schema/problems";
import { CLIENT_SENTENCES } from "./client-sentences.ts";
import { pythonText } from "./python-text.ts";

/** These are about the object or the list in which something is missing or too much. */
const ABOUT_WHOLE: ReadonlySet<string> = new Set([
  "required",
  "dependentRequired",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "unevaluatedItems",
]);
/** Of these there is one sentence for all that is too much. */
const ABOUT_ALL: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "unevaluatedItems",
]);
const UNIONS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "moreThanOne"]);

/**
 * What users of the established client read: each problem, and the one that matters most with the
 * name of its field.
 */
export function inClientWords(
  found: readonly FoundProblem[],
  addsNull: boolean,
): { readonly problems: readonly ValueProblem[]; readonly refusal: string | null } {
  const said = grouped(found, addsNull);
  const problems = said.map(({ shownAt, message }) => ({ path: shownAt, message }));
  return { problems, refusal: said.length === 0 ? null : refusalOf(mostRelevant(said)) };
}

/** A sentence of the client, with what it is compared by. */
interface SaidProblem {
  /** Of the value that the sentence is about. */
  readonly place: JsonPath;
  /** Beside which field a form shows it. */
  readonly shownAt: JsonPath;
  readonly message: string;
  readonly violation: Violation | null;
  readonly branches: readonly SaidProblem[];
}

function grouped(found: readonly FoundProblem[], addsNull: boolean): readonly SaidProblem[] {
  const groups = new Map<string, FoundProblem[]>();
  for (const [index, problem] of found.entries()) {
    const keyword = problem.violation?.keyword ?? "";
    const isOne = ABOUT_ALL.has(keyword) && problem.violation?.isOfName !== true;
    const key = isOne ? `${keyword}${JSON.stringify(problem.path.slice(0, -1))}` : String(index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].map((group) => said(group, addsNull));
}

function said(group: readonly FoundProblem[], addsNull: boolean): SaidProblem {
  const places = group.map(({ path }) => path);
  const [{ path, message, violation, branches = [] } = NOTHING] = group;
  if (violation === undefined)
    return { place: path, shownAt: path, message, violation: null, branches: [] };
  const { keyword, isOfName = false, isOptional = false } = violation;
  const sentence = CLIENT_SENTENCES[keyword];
  const known = { ...violation, isOptional: isOptional && addsNull };
  const isAboutWhole = isOfName || ABOUT_WHOLE.has(keyword);
  const place = isAboutWhole ? path.slice(0, -1) : path;
  return {
    place,
    shownAt: keyword === "required" ? path : place,
    message: sentence === undefined ? message : sentence(known, places),
    violation: known,
    branches: grouped(branches, addsNull),
  };
}

const NOTHING: FoundProblem = { path: [], message: "does not fit" };

function refusalOf({ place, message }: SaidProblem): string {
  const field = place.length === 0 ? "" : ` for field ${pythonText(fieldName(place))}`;
  return `Validation failed${field}. Failure reason: ${message}`;
}

const PLAIN_NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/;

/**
 * `servers[0].port`: a JSON path without its beginning, which stays where a name has other
 * characters.
 */
function fieldName(place: JsonPath): string {
  let text = "$";
  for (const part of place) {
    if (typeof part === "number") text += `[${part}]`;
    else if (PLAIN_NAME.test(part)) text += `.${part}`;
    else text += `['${part.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}']`;
  }
  return text.replaceAll("$.", "");
}

/**
 * The outermost problem; within a union the innermost, because the branch that comes closest was
 * meant.
 */
function mostRelevant(all: readonly SaidProblem[]): SaidProblem {
  let best = all.reduce((first, next) => (byRelevance(next, first) > 0 ? next : first));
  while (best.branches.length > 0) {
    const [first, second] = best.branches.toSorted(byRelevance);
    // None of the branches comes closer than the others.
    if (first === undefined || (second !== undefined && byRelevance(first, second) === 0))
      return best;
    best = first;
  }
  return best;
}

/** More than 0 where the first is more relevant. */
function byRelevance(a: SaidProblem, b: SaidProblem): number {
  return (
    b.place.length - a.place.length ||
    comparePlaces(a.place, b.place) ||
    Number(isUnion(b)) - Number(isUnion(a)) ||
    Number(fitsType(b)) - Number(fitsType(a))
  );
}

function comparePlaces(a: JsonPath, b: JsonPath): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined || part === other) continue;
    if (typeof part === "number" && typeof other === "number") return part - other;
    return String(part) < String(other) ? -1 : 1;
  }
  return 0;
}

function isUnion({ violation }: SaidProblem): boolean {
  if (violation === null) return false;
  return (
    UNIONS.has(violation.keyword) || (violation.isOptional === true && violation.keyword === "type")
  );
}

/**
 * Whether the value has at least the type that the schema asks for; false where it asks for none.
 */
function fitsType({ violation }: SaidProblem): boolean {
  if (violation === null || violation.isOptional === true) return false;
  const type = violation.schema["type"];
  return (Array.isArray(type) ? type : [type]).some((name) => hasType(violation.given, name));
}

function hasType(value: unknown, name: unknown): boolean {
  if (name === "integer") return isWhole(value);
  if (name === "number") return exactNumberOf(value) !== null;
  if (name === "array") return Array.isArray(value);
  if (name === "object") return isMap(value) && exactNumberOf(value) === null;
  return name === (value === null ? "null" : typeof value);
}
