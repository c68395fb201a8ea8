import { TemplateError } from "../template-error.ts";
import type { MacroNode, Parameter, TemplateBody, TemplateStatement } from "./nodes.ts";
import { parseExpression } from "./parse-expression.ts";
import type { TokenStream } from "./token-stream.ts";
import { assignedNamesIn } from "./walk.ts";

export interface BlockReader {
  readonly stream: TokenStream;
  readBlock(tag: string, end: string): TemplateBody;
}

/** What a macro is given without naming it, where its body asks for it. */
const ASKED = ["caller", "varargs", "kwargs"];

export function parseMacro(reader: BlockReader, line: number): MacroNode {
  const name = reader.stream.expectName();
  const parameters = parseParameters(reader.stream);
  const body = reader.readBlock("macro", "endmacro");
  return { kind: "macro", name, parameters, body, asks: askedIn(body, parameters), line };
}

/**
 * `{% call(item) list(items) %}`: the body becomes the macro `caller` of the one that is called.
 */
export function parseCallBlock(reader: BlockReader, line: number): TemplateStatement {
  const { stream } = reader;
  const parameters = stream.isOperator("(") ? parseParameters(stream) : [];
  const call = parseExpression(stream);
  if (call.kind !== "call")
    throw new TemplateError("syntax error: expected a call behind 'call'", line);
  const body = reader.readBlock("call", "endcall");
  const asks = askedIn(body, parameters);
  const caller: MacroNode = { kind: "macro", name: "caller", parameters, body, asks, line };
  return { kind: "call-block", call, caller, line };
}

function parseParameters(stream: TokenStream): Parameter[] {
  const parameters: Parameter[] = [];
  stream.expectOperator("(");
  while (!stream.skipOperator(")")) {
    if (parameters.length > 0) stream.expectOperator(",");
    const { line } = stream;
    const name = stream.expectName();
    const fallback = stream.skipOperator("=") ? parseExpression(stream) : null;
    const hasFallback = parameters.at(-1)?.fallback != null;
    if (fallback === null && hasFallback)
      throw new TemplateError(
        `syntax error: '${name}' has no default, but one before it has`,
        line,
      );
    parameters.push({ name, fallback });
  }
  return parameters;
}

function askedIn(body: TemplateBody, parameters: readonly Parameter[]): ReadonlySet<string> {
  const names = assignedNamesIn(body);
  return new Set(
    ASKED.filter((asked) => names.has(asked) && !parameters.some(({ name }) => name === asked)),
  );
}
