// Patterns that the values of labels are compared with. Authors of triggers write the patterns and
// senders of events the values, so what a comparison may take is bounded.

/** What all patterns together may take for one event: at most some milliseconds. */
const MAX_STEPS = 200_000;
/**
 * A character takes a search so much less time than it takes when single characters are left open.
 */
const SEARCHED_PER_STEP = 4;

/** How many steps are left. */
export interface MatchBudget {
  steps: number;
}

export const newMatchBudget = (): MatchBudget => ({ steps: MAX_STEPS });

/**
 * `*` stands for anything, `?` for one character, a leading `!` for anything else. What cannot be
 * told within the steps that are left does not match, whether or not there is a `!`.
 */
export function matchesPattern(pattern: string, value: string, effort: MatchBudget): boolean {
  const isNegated = pattern.startsWith("!");
  const isCovered = covers(isNegated ? pattern.slice(1) : pattern, value, effort);
  return isCovered !== null && isCovered !== isNegated;
}

/** Null when the steps that are left do not suffice. */
function covers(pattern: string, value: string, effort: MatchBudget): boolean | null {
  if (pattern.includes("?")) {
    effort.steps -= value.length;
    return effort.steps <= 0
      ? null
      : coversSingles(charactersOf(pattern), charactersOf(value), effort);
  }
  if (!pattern.includes("*")) return pattern === value;
  const steps = Math.ceil((pattern.length + value.length) / SEARCHED_PER_STEP);
  effort.steps = Math.max(0, effort.steps - steps);
  return effort.steps === 0 ? null : coversTexts(pattern.split("*"), value);
}

/**
 * Each text is looked for behind the one before it; the first and the last are where the value
 * begins and ends.
 */
function coversTexts(texts: readonly string[], value: string): boolean {
  const first = texts[0] ?? "";
  const last = texts.at(-1) ?? "";
  const end = value.length - last.length;
  if (end < first.length || !value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    at = endOf(text, value, { from: at, until: end });
    if (at === -1) return false;
  }
  return true;
}

/**
 * Where a text first ends within a part of a value, or -1. Takes as many steps as there are
 * characters, unlike `indexOf`, which goes over them again and again where text and value repeat
 * themselves (Knuth, Morris, Pratt).
 */
function endOf(
  text: string,
  value: string,
  { from, until }: { readonly from: number; readonly until: number },
): number {
  if (text === "") return from;
  const fallbacks = fallbacksOf(text);
  let fitting = 0;
  for (let at = from; at < until; at += 1) {
    while (fitting > 0 && text[fitting] !== value[at]) fitting = fallbacks[fitting - 1] ?? 0;
    if (text[fitting] === value[at]) fitting += 1;
    if (fitting === text.length) return at + 1;
  }
  return -1;
}

/** How much of the text still fits where it did up to a character and not beyond it. */
function fallbacksOf(text: string): Uint32Array {
  const fallbacks = new Uint32Array(text.length);
  let fitting = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (fitting > 0 && text[fitting] !== text[at]) fitting = fallbacks[fitting - 1] ?? 0;
    if (text[fitting] === text[at]) fitting += 1;
    fallbacks[at] = fitting;
  }
  return fallbacks;
}

/** The characters of a text, some of which take two places in it. */
const charactersOf = (text: string): ArrayLike<string> =>
  /[\ud800-\udbff]/.test(text) ? Array.from(text) : text;

/**
 * Goes back to the last `*` only. That takes at most as many steps as the lengths of the two
 * multiplied.
 */
function coversSingles(
  pattern: ArrayLike<string>,
  value: ArrayLike<string>,
  effort: MatchBudget,
): boolean | null {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let i = 0; i < value.length; ) {
    effort.steps -= 1;
    if (effort.steps <= 0) return null;
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at;
      resumeAt = i;
      at += 1;
      if (at === pattern.length) return true;
    } else if (wanted === "?" || wanted === value[i]) {
      at += 1;
      i += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      resumeAt += 1;
      i = resumeAt;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
