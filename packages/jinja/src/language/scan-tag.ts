import { TemplateError } from "../template-error.ts";
import { MAX_DIGITS } from "../values/numbers.ts";
import { readStringLiteral } from "./string-literal.ts";
import type { Token } from "./tokens.ts";

// Each begins with what no other part of it can begin with, so that none of them looks at a text
// twice.
const BLANKS = /\s+/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const FLOAT = /\d[\d_]*(?:\.\d[\d_]*(?:[eE][+-]?\d[\d_]*)?|[eE][+-]?\d[\d_]*)/y;
const INTEGER = /0[bB][01_]+|0[oO][0-7_]+|0[xX][\da-fA-F_]+|\d[\d_]*/y;
const DOUBLE_QUOTED = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const SINGLE_QUOTED = /'[^'\\]*(?:\\[^][^'\\]*)*'/y;
const OPERATOR = /\*\*|\/\/|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
const ENDS = { statement: /[-+]?%\}/y, expression: /-?\}\}/y };
const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export interface TagStart {
  /** The position behind the opening of the tag. */
  readonly start: number;
  readonly kind: "statement" | "expression";
  readonly line: number;
}

/** Adds the tokens of a tag; returns where the text behind it begins. */
export function scanTag(text: string, tag: TagStart, tokens: Token[]): number {
  const { kind } = tag;
  const opening = kind === "statement" ? "{%" : "{{";
  tokens.push({ kind: `${kind}-begin`, text: opening, line: tag.line });
  const open: string[] = [];
  let { start: at, line } = tag;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const add = (of: Token["kind"], source: string, value = source): void => {
    tokens.push({ kind: of, text: value, line });
    at += source.length;
    line += countLines(source);
  };
  for (;;) {
    const blanks = match(BLANKS);
    if (blanks !== null) {
      at += blanks.length;
      line += countLines(blanks);
    }
    if (at >= text.length)
      throw new TemplateError(`syntax error: the tag ${opening} has no end`, tag.line);
    const end = open.length === 0 ? match(ENDS[kind]) : null;
    if (end !== null) {
      add(`${kind}-end`, end);
      if (!end.startsWith("-")) return at;
      const rest = text.slice(at);
      return at + rest.length - rest.trimStart().length;
    }
    const name = match(NAME);
    if (name !== null) {
      add("name", name);
      continue;
    }
    // `a.0.1` is an item of an item.
    const float = text[at - 1] === "." ? null : match(FLOAT);
    const number = float ?? match(INTEGER);
    if (number !== null) {
      add(float === null ? "integer" : "float", number, readDigits(number, line));
      continue;
    }
    const quoted = match(text[at] === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED);
    if (quoted !== null) {
      add("string", quoted, readStringLiteral(quoted.slice(1, -1), line));
      continue;
    }
    const operator = match(OPERATOR);
    if (operator === null) {
      const found = text[at] ?? "";
      const isQuote = found === '"' || found === "'";
      const what = isQuote ? "a text that has no end" : `the character ${found}`;
      throw new TemplateError(`syntax error: unexpected ${what}`, line);
    }
    balance(open, operator, line);
    add("operator", operator);
  }
}

function balance(open: string[], operator: string, line: number): void {
  if (operator === "(" || operator === "[" || operator === "{") open.push(operator);
  const opening = PAIRS[operator];
  if (opening === undefined || open.pop() === opening) return;
  throw new TemplateError(`syntax error: unexpected '${operator}'`, line);
}

/**
 * Underscores may stand between digits only, and no number begins with a zero that does not count.
 */
function readDigits(number: string, line: number): string {
  const isWhole = /^\d[\d_]*$/.test(number);
  const isBroken = /__|_$|_[.eE+-]|[.eE+-]_/.test(number);
  if (isBroken || (isWhole && /^0[0_]*[1-9]/.test(number)))
    throw new TemplateError(`syntax error: ${number.slice(0, 50)} is no number`, line);
  if (number.length > MAX_DIGITS)
    throw new TemplateError(`syntax error: a number has more than ${MAX_DIGITS} digits`, line);
  return number.replaceAll("_", "");
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
