// Expressions, from the operator that binds least to the one that binds most.

import type { BinaryOperator } from "../values/arithmetic.ts";
import type {
  CallArguments,
  Comparison,
  ComparisonOperator,
  Expression,
  FilterNode,
  SliceNode,
} from "./nodes.ts";
import { dottedName, NO_ARGUMENTS, parseArguments, parseList } from "./parse-arguments.ts";
import type { TokenStream } from "./token-stream.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const SUMS: ReadonlySet<string> = new Set(["+", "-"]);
const PRODUCTS: ReadonlySet<string> = new Set(["*", "/", "//", "%"]);
const CONSTANTS: ReadonlyMap<string, true | false | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

export function parseExpression(stream: TokenStream): Expression {
  return stream.nested(() => parseConditional(stream));
}

export interface TupleOptions {
  /** Whether `a if b` may stand in it: behind `in` of a loop, `if` begins the loop's filter. */
  readonly withConditional?: boolean;
  /** A name that ends it. */
  readonly endsAt?: string;
  readonly isInParentheses?: boolean;
}

/** One expression, or several with commas between them. */
export function parseTuple(stream: TokenStream, options: TupleOptions = {}): Expression {
  const { withConditional = true, endsAt, isInParentheses = false } = options;
  const { line } = stream;
  const items: Expression[] = [];
  let isTuple = false;
  while (!isTupleEnd(stream, endsAt)) {
    items.push(withConditional ? parseExpression(stream) : stream.nested(() => parseOr(stream)));
    if (!stream.skipOperator(",")) break;
    isTuple = true;
  }
  const [only] = items;
  if (!isTuple && only !== undefined) return only;
  if (!isTuple && !isInParentheses) throw stream.unexpected("an expression");
  return { kind: "tuple", items, line };
}

function isTupleEnd(stream: TokenStream, endsAt: string | undefined): boolean {
  const { kind } = stream.current;
  if (kind === "statement-end" || kind === "expression-end") return true;
  return stream.isOperator(")") || (endsAt !== undefined && stream.isName(endsAt));
}

function parseConditional(stream: TokenStream): Expression {
  const { line } = stream;
  let value = parseOr(stream);
  while (stream.skipName("if")) {
    const test = parseOr(stream);
    const otherwise = stream.skipName("else") ? parseExpression(stream) : null;
    value = { kind: "conditional", test, value, otherwise, line };
  }
  return value;
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream);
  for (let { line } = stream; stream.skipName("or"); { line } = stream)
    left = { kind: "logical", operator: "or", left, right: parseAnd(stream), line };
  return left;
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream);
  for (let { line } = stream; stream.skipName("and"); { line } = stream)
    left = { kind: "logical", operator: "and", left, right: parseNot(stream), line };
  return left;
}

function parseNot(stream: TokenStream): Expression {
  const { line } = stream;
  if (!stream.skipName("not")) return parseComparison(stream);
  const operand = stream.nested(() => parseNot(stream));
  return { kind: "unary", operator: "not", operand, line };
}

function parseComparison(stream: TokenStream): Expression {
  const { line } = stream;
  const first = parseBinary(stream, SUMS, parseConcatenation);
  const rest: Comparison[] = [];
  for (;;) {
    const operator = readComparison(stream);
    if (operator === null) break;
    rest.push({ operator, operand: parseBinary(stream, SUMS, parseConcatenation) });
  }
  return rest.length === 0 ? first : { kind: "comparison", first, rest, line };
}

function readComparison(stream: TokenStream): ComparisonOperator | null {
  const { kind, text } = stream.current;
  if (kind === "operator" && COMPARISONS.has(text)) {
    stream.next();
    return text as ComparisonOperator;
  }
  if (stream.skipName("in")) return "in";
  const { following } = stream;
  if (!stream.isName("not") || following.kind !== "name" || following.text !== "in") return null;
  stream.next();
  stream.next();
  return "not in";
}

function parseBinary(
  stream: TokenStream,
  operators: ReadonlySet<string>,
  parseOperand: (stream: TokenStream) => Expression,
): Expression {
  let left = parseOperand(stream);
  for (;;) {
    const { kind, text, line } = stream.current;
    if (kind !== "operator" || !operators.has(text)) return left;
    stream.next();
    const operator = text as BinaryOperator;
    left = { kind: "binary", operator, left, right: parseOperand(stream), line };
  }
}

function parseConcatenation(stream: TokenStream): Expression {
  const { line } = stream;
  const first = parseBinary(stream, PRODUCTS, parsePower);
  if (!stream.isOperator("~")) return first;
  const parts = [first];
  while (stream.skipOperator("~")) parts.push(parseBinary(stream, PRODUCTS, parsePower));
  return { kind: "concatenation", parts, line };
}

function parsePower(stream: TokenStream): Expression {
  let left = parseUnary(stream, true);
  for (let { line } = stream; stream.skipOperator("**"); { line } = stream)
    left = { kind: "binary", operator: "**", left, right: parseUnary(stream, true), line };
  return left;
}

/** A sign stands before a value with its attributes, but a filter takes both: `-1|abs` is 1. */
function parseUnary(stream: TokenStream, withFilters: boolean): Expression {
  const value = parsePostfix(stream, parseSigned(stream));
  return withFilters ? parseFilters(stream, value) : value;
}

function parseSigned(stream: TokenStream): Expression {
  const { line } = stream;
  for (const operator of ["-", "+"] as const) {
    if (!stream.skipOperator(operator)) continue;
    const operand = stream.nested(() => parseUnary(stream, false));
    return { kind: "unary", operator, operand, line };
  }
  return parsePrimary(stream);
}

function parsePrimary(stream: TokenStream): Expression {
  const { kind, text, line } = stream.current;
  switch (kind) {
    case "name": {
      stream.next();
      const value = CONSTANTS.get(text);
      return value === undefined ? { kind: "name", name: text, line } : constant(value, line);
    }
    case "string": {
      let joined = "";
      while (stream.current.kind === "string") joined += stream.next().text;
      return constant(joined, line);
    }
    case "integer":
      stream.next();
      return constant(BigInt(text), line);
    case "float":
      stream.next();
      return constant(Number(text), line);
    case "operator":
      return parseBracketed(stream);
    case "text":
    case "statement-begin":
    case "statement-end":
    case "expression-begin":
    case "expression-end":
    case "end":
      throw stream.unexpected();
  }
}

const constant = (value: string | bigint | number | boolean | null, line: number): Expression => ({
  kind: "constant",
  value,
  line,
});

function parseBracketed(stream: TokenStream): Expression {
  const { line } = stream;
  if (stream.skipOperator("(")) {
    const inner = parseTuple(stream, { isInParentheses: true });
    stream.expectOperator(")");
    return inner;
  }
  if (stream.skipOperator("[")) {
    const items = parseList(stream, "]", () => parseExpression(stream));
    return { kind: "list", items, line };
  }
  if (!stream.skipOperator("{")) throw stream.unexpected();
  const pairs = parseList(stream, "}", () => {
    const key = parseExpression(stream);
    stream.expectOperator(":");
    return [key, parseExpression(stream)] as const;
  });
  return { kind: "dict", pairs, line };
}

function parsePostfix(stream: TokenStream, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (stream.isOperator(".") || stream.isOperator("[")) value = parseSubscript(stream, value);
    else if (stream.isOperator("(")) value = parseCall(stream, value);
    else return value;
  }
}

function parseFilters(stream: TokenStream, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (stream.isOperator("|")) value = parseFilter(stream, value);
    else if (stream.isName("is")) value = parseTest(stream, value);
    else if (stream.isOperator("(")) value = parseCall(stream, value);
    else return value;
  }
}

function parseSubscript(stream: TokenStream, of: Expression): Expression {
  const { line } = stream;
  if (stream.skipOperator(".")) {
    const { kind, text } = stream.next();
    if (kind === "name") return { kind: "attribute", of, name: text, line };
    if (kind === "integer") return { kind: "item", of, index: constant(BigInt(text), line), line };
    throw stream.unexpected("a name or a number behind the dot");
  }
  stream.expectOperator("[");
  const indexes = parseList(stream, "]", () => parseIndex(stream));
  const [only] = indexes;
  const index: Expression =
    indexes.length === 1 && only !== undefined ? only : { kind: "tuple", items: indexes, line };
  return { kind: "item", of, index, line };
}

function parseIndex(stream: TokenStream): Expression {
  const { line } = stream;
  const isEnd = (): boolean => stream.isOperator("]") || stream.isOperator(",");
  const part = (): Expression | null =>
    isEnd() || stream.isOperator(":") ? null : parseExpression(stream);
  const start = part();
  if (start !== null && !stream.isOperator(":")) return start;
  stream.expectOperator(":");
  const stop = part();
  const step = stream.skipOperator(":") ? part() : null;
  return { kind: "slice", start, stop, step, line } satisfies SliceNode;
}

function parseCall(stream: TokenStream, callee: Expression): Expression {
  const { line } = stream;
  return { kind: "call", callee, args: parseArguments(stream, parseExpression), line };
}

/** With the pipe before it, or without one over a block. */
export function parseFilter(stream: TokenStream, of: Expression | null): FilterNode {
  stream.skipOperator("|");
  const { line } = stream;
  const name = dottedName(stream);
  const args = stream.isOperator("(") ? parseArguments(stream, parseExpression) : NO_ARGUMENTS;
  return { kind: "filter", of, name, args, line };
}

const ENDS_TEST: ReadonlySet<string> = new Set(["else", "or", "and"]);

function parseTest(stream: TokenStream, of: Expression): Expression {
  stream.expectWord("is");
  const { line } = stream;
  const isNegated = stream.skipName("not");
  const name = dottedName(stream);
  const args = parseTestArguments(stream);
  const test: Expression = { kind: "test", of, name, args, line };
  return isNegated ? { kind: "unary", operator: "not", operand: test, line } : test;
}

/** A test may have its one argument without brackets: `x is divisibleby 3`. */
function parseTestArguments(stream: TokenStream): CallArguments {
  if (stream.isOperator("(")) return parseArguments(stream, parseExpression);
  const { kind, text } = stream.current;
  const isValue =
    kind === "string" ||
    kind === "integer" ||
    kind === "float" ||
    (kind === "name" && !ENDS_TEST.has(text)) ||
    stream.isOperator("[") ||
    stream.isOperator("{");
  if (!isValue) return NO_ARGUMENTS;
  if (stream.isName("is")) throw stream.unexpected("no second test");
  const argument = parsePostfix(stream, parsePrimary(stream));
  return { ...NO_ARGUMENTS, positional: [argument] };
}
