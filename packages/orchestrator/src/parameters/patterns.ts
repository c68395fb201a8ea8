import { SchemaProblem } from "./schema-problem.ts";

// Patterns come from the authors of flows and run on this server. A backtracking engine can need years
// for a short pattern and a short text, and no rule tells all such patterns from the good ones: forbidding
// nested repetition misses `(a|a)*b` and refuses half of the patterns people use. So every pattern that is
// an expression is allowed, and what bounds it is time. Patterns of the simplest kind on short texts, which
// cannot take long, run as they are; everything else runs in a check that is cut off after a while.

export interface Pattern {
  readonly source: string;
  readonly test: (text: string) => boolean;
  /** Up to this many characters a test is quick whatever the text is. */
  readonly quickLength: number;
}

const MAX_PATTERN_LENGTH = 1000;
/** One repetition that may start anywhere takes the square of the length, at worst. */
const QUICK_LENGTH = 1000;

/** Throws `SchemaProblem` when the text is no regular expression. */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new SchemaProblem(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const expression = toExpression(source);
  return {
    source,
    test: (text) => expression.test(text),
    quickLength: isQuick(source) ? QUICK_LENGTH : 0,
  };
}

/** Patterns are often written for Python, which is laxer about escapes and has spellings of its own. */
function toExpression(source: string): RegExp {
  const strict = tryExpression(source, "u");
  if (strict !== null) return strict;
  const [prefix = "", inline = ""] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const translated = source
    .slice(prefix.length)
    .replaceAll("(?P<", "(?<")
    .replace(/\(\?P=(\w+)\)/g, "\\k<$1>")
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, "$1^")
    .replace(/(?<!\\)((?:\\\\)*)\\[Zz]/g, "$1$");
  const lax = tryExpression(translated, `u${inline}`) ?? tryExpression(translated, inline);
  if (lax === null) throw new SchemaProblem("the pattern is not a valid regular expression");
  return lax;
}

function tryExpression(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

const ESCAPES_AND_CLASSES = /\\.|\[(?:\\.|[^\]\\])*\]/gs;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/g;

/**
 * At most one repetition, of a single character or class; no lookaround, no back reference. Alternatives
 * only in one group and without a repetition: `(a|a)(a|a)…b` doubles with each group.
 */
function isQuick(source: string): boolean {
  if (/\\[1-9k]/.test(source)) return false;
  const outline = source.replace(ESCAPES_AND_CLASSES, "x").replaceAll("(?:", "(");
  if (outline.includes("(?") || /\)(?:[*+?]|\{)/.test(outline)) return false;
  const repetitions = outline.match(QUANTIFIER)?.length ?? 0;
  if (!outline.includes("|")) return repetitions <= 1;
  return repetitions === 0 && outline.split("(").length <= 2;
}
