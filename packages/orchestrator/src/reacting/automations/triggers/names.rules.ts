// Names of events and labels, whichever way the sender or the author of a trigger spells their
// prefix.

const OTHER_PREFIX = "orchestrator.";
const PREFIX = "prefect.";

/** One form for both prefixes: what is compared goes through this on both sides. */
export function canonical(text: string): string {
  return text.startsWith(OTHER_PREFIX) ? PREFIX + text.slice(OTHER_PREFIX.length) : text;
}

/** The same for a pattern of a label's value, which a `!` may stand before. */
export function canonicalPattern(pattern: string): string {
  return pattern.startsWith("!") ? `!${canonical(pattern.slice(1))}` : canonical(pattern);
}

type Part =
  | { readonly kind: "one"; readonly fits: (character: string) => boolean }
  | { readonly kind: "any" };

export interface NamePattern {
  /** What every name that fits begins with; the whole name when nothing else can follow. */
  readonly start: string;
  readonly isExact: boolean;
  /** What cannot be told within the steps that are left does not fit. */
  readonly fits: (name: string, effort: NameEffort) => boolean;
}

/** How many steps are left for comparing names with patterns. */
export interface NameEffort {
  steps: number;
}

/** What all patterns of one trigger may take for one name: a fraction of a millisecond. */
const MAX_STEPS = 100_000;

export const newNameEffort = (): NameEffort => ({ steps: MAX_STEPS });

/** `*` stands for one character or more, `?` for one, `[abc]` and `[!a-c]` for one of some. */
export function namePattern(pattern: string): NamePattern {
  const text = canonical(pattern);
  const start = /^[^*?[]*/.exec(text)?.[0] ?? "";
  if (start === text) return { start, isExact: true, fits: (name) => name === text };
  const parts = partsOf(text);
  return {
    start,
    isExact: false,
    fits: (name, effort) => name.startsWith(start) && fitsParts(parts, name, effort),
  };
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern.charAt(at);
    const end = sign === "[" ? setEnd(pattern, at) : -1;
    if (sign === "*") parts.push(ANYTHING, { kind: "any" });
    else if (sign === "?") parts.push(ANYTHING);
    else if (end > 0) {
      parts.push({ kind: "one", fits: setTest(pattern.slice(at + 1, end)) });
      at = end;
    } else parts.push({ kind: "one", fits: (character) => character === sign });
  }
  return parts;
}

const ANYTHING: Part = { kind: "one", fits: () => true };

/** A `]` that comes first belongs to the set. */
function setEnd(pattern: string, at: number): number {
  const first = pattern.charAt(at + 1) === "!" ? at + 2 : at + 1;
  return pattern.indexOf("]", first + 1);
}

function setTest(set: string): (character: string) => boolean {
  const isNegated = set.startsWith("!");
  const signs = isNegated ? set.slice(1) : set;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < signs.length; at += 1) {
    const from = signs.charAt(at);
    const isRange = signs.charAt(at + 1) === "-" && at + 2 < signs.length;
    ranges.push([from, isRange ? signs.charAt(at + 2) : from]);
    if (isRange) at += 2;
  }
  return (character) =>
    ranges.some(([from, to]) => character >= from && character <= to) !== isNegated;
}

/**
 * Goes back to the last `*` only. That takes at most as many steps as the lengths of the two
 * multiplied, and no more than are left.
 */
function fitsParts(parts: readonly Part[], name: string, effort: NameEffort): boolean {
  let at = 0;
  let resumePart = -1;
  let resumeAt = 0;
  for (let i = 0; i < name.length; ) {
    effort.steps -= 1;
    if (effort.steps <= 0) return false;
    const part = parts[at];
    if (part?.kind === "any") {
      at += 1;
      resumePart = at;
      resumeAt = i;
    } else if (part?.fits(name.charAt(i)) === true) {
      at += 1;
      i += 1;
    } else if (resumePart === -1) return false;
    else {
      at = resumePart;
      resumeAt += 1;
      i = resumeAt;
    }
  }
  return parts.slice(at).every(({ kind }) => kind === "any");
}

/** Labels were compared with one prefix; they are told with the server's own. */
export function spokenLabels(
  prefix: string,
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (PREFIX === `${prefix}.`) return labels;
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [
      name,
      value.startsWith(PREFIX) ? `${prefix}.${value.slice(PREFIX.length)}` : value,
    ]),
  );
}
