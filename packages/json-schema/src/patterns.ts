import { SchemaProblem } from "./schema-problem.ts";

// Patterns come from the authors of flows and run on this server. A backtracking engine can need
// years for a short pattern and a short text, and no rule tells all such patterns from the good
// ones: forbidding nested repetition misses `(a|a)*b` and refuses half of the patterns people use.
// So every pattern that is an expression is allowed, it runs on a thread, and what bounds it is CPU
// time.

export interface Pattern {
  readonly source: string;
  readonly test: (text: string) => boolean;
}

const MAX_PATTERN_LENGTH = 1000;

/** Throws `SchemaProblem` when the text is no regular expression. */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new SchemaProblem(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const expression = toExpression(source);
  return { source, test: (text) => expression.test(text) };
}

/**
 * Patterns are often written for Python, which is laxer about escapes and has spellings of its own.
 */
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
