// What stands behind a value in brackets: the arguments of calls, filters and tests.

import type { CallArguments, Expression } from "./nodes.ts";
import type { TokenStream } from "./token-stream.ts";

export type ParseExpression = (stream: TokenStream) => Expression;

export const NO_ARGUMENTS: CallArguments = {
  positional: [],
  named: [],
  spread: null,
  spreadNamed: null,
};

/** A comma may follow the last one. */
export function parseList<T>(stream: TokenStream, end: string, parseItem: () => T): T[] {
  const items: T[] = [];
  while (!stream.isOperator(end)) {
    items.push(parseItem());
    if (!stream.isOperator(end)) stream.expectOperator(",");
  }
  stream.next();
  return items;
}

export function parseArguments(stream: TokenStream, parse: ParseExpression): CallArguments {
  stream.expectOperator("(");
  const positional: Expression[] = [];
  const named: (readonly [string, Expression])[] = [];
  let spread: Expression | null = null;
  let spreadNamed: Expression | null = null;
  parseList(stream, ")", () => {
    if (spreadNamed !== null) throw stream.unexpected("the end of the arguments");
    if (stream.skipOperator("**")) spreadNamed = parse(stream);
    else if (spread === null && stream.skipOperator("*")) spread = parse(stream);
    else if (
      stream.current.kind === "name" &&
      stream.following.text === "=" &&
      stream.following.kind === "operator"
    ) {
      const name = stream.next().text;
      stream.next();
      named.push([name, parse(stream)]);
    } else if (named.length > 0 || spread !== null) {
      throw stream.unexpected("an argument with its name");
    } else positional.push(parse(stream));
  });
  return { positional, named, spread, spreadNamed };
}

export function dottedName(stream: TokenStream): string {
  let name = stream.expectName();
  while (stream.skipOperator(".")) name += `.${stream.expectName()}`;
  return name;
}
