import { caseVariantsOf, IS_ASCII } from "../storage/letter-cases.ts";

/**
 * What a search asks of a text: one of some terms (when there are any), all of others, none of the
 * rest.
 */
export interface TextSearch {
  readonly anyOf: readonly string[];
  readonly allOf: readonly string[];
  readonly noneOf: readonly string[];
}

/**
 * An optional sign, then a phrase in quotation marks (the last one may be missing) or a word, which
 * ends where a phrase begins.
 */
const TERM = /([-!+]?)(?:"((?:\\.|[^"])*)"?|([^\s"]*))/gsu;

/**
 * Reads `error "connection lost" +api -debug`: words and phrases are alternatives, `+` requires a
 * term, `-` or `!` excludes one, `\"` is a quotation mark and `\\` a backslash inside a phrase. A
 * sign with nothing behind it and a phrase of nothing but blanks say nothing.
 */
export function parseTextSearch(query: string): TextSearch {
  const search = { anyOf: [] as string[], allOf: [] as string[], noneOf: [] as string[] };
  for (const [, sign, phrase, word] of query.matchAll(TERM)) {
    const term = phrase?.replaceAll(/\\(["\\])/g, "$1") ?? word ?? "";
    if (term.trim() === "") continue;
    if (sign === "+") search.allOf.push(term);
    else if (sign === "") search.anyOf.push(term);
    else search.noneOf.push(term);
  }
  return search;
}

/**
 * The SQL condition for a search, or null when it asks for nothing; `holds` is the condition that a
 * term occurs.
 */
export function textSearchCondition(
  { anyOf, allOf, noneOf }: TextSearch,
  holds: (term: string) => string,
): string | null {
  const conditions = [
    ...allOf.map(holds),
    ...noneOf.map((term) => `not (${holds(term)})`),
    ...(anyOf.length === 0 ? [] : [`(${anyOf.map(holds).join(" or ")})`]),
  ];
  return conditions.length === 0 ? null : `(${conditions.join(" and ")})`;
}

/**
 * How a term is written inside JSON: a line's end, a quotation mark and a backslash look different
 * there.
 */
export const termInJson = (term: string): string => JSON.stringify(term).slice(1, -1);

/** The same search over texts at hand, and over JSON beside them. */
export function textMatcher({
  anyOf,
  allOf,
  noneOf,
}: TextSearch): (text: string, json?: string) => boolean {
  const [any, all, none] = [anyOf, allOf, noneOf].map((terms) => terms.map(termTest)) as [
    TermTest[],
    TermTest[],
    TermTest[],
  ];
  return (text, json = "") => {
    const holds = (test: TermTest): boolean => test(text, json);
    return (any.length === 0 || any.some(holds)) && all.every(holds) && !none.some(holds);
  };
}

type TermTest = (text: string, json: string) => boolean;

function termTest(term: string): TermTest {
  const [plain, escaped] = [term, termInJson(term)].map(inAnyCase) as [RegExp, RegExp];
  return (text, json) => plain.test(text) || plain.test(json) || escaped.test(json);
}

/**
 * Upper and lower case are the same, as they are for the databases: ASCII is paired with nothing
 * but ASCII where a term has no other letters.
 */
function inAnyCase(term: string): RegExp {
  if (IS_ASCII.test(term)) return new RegExp(literally(term), "i");
  const anyOf = (character: string): string =>
    `(?:${caseVariantsOf(character).map(literally).join("|")})`;
  return new RegExp(Array.from(term, anyOf).join(""), "u");
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
