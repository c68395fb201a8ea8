import { TemplateError } from "../template-error.ts";
import type { AssignmentTarget } from "./nodes.ts";
import type { TokenStream } from "./token-stream.ts";

/** Names that stand for the same in every template. */
const RESERVED: ReadonlySet<string> = new Set(["true", "True", "false", "False", "none", "None"]);

export interface AssignmentTargetOptions {
  /** Whether `name.member` may be assigned to, which only namespaces take. */
  readonly withMembers?: boolean;
  readonly endsAt?: string;
}

/** What is assigned to: a name, a member of a namespace, or several of them. */
export function parseTarget(
  stream: TokenStream,
  options: AssignmentTargetOptions,
): AssignmentTarget {
  const targets: AssignmentTarget[] = [];
  let isTuple = false;
  while (!isEnd(stream, options)) {
    targets.push(parseOne(stream, options));
    if (!stream.skipOperator(",")) break;
    isTuple = true;
  }
  const [only] = targets;
  if (only === undefined) throw stream.unexpected("a name to assign to");
  return isTuple ? { kind: "targets", targets } : only;
}

function isEnd(stream: TokenStream, { endsAt }: AssignmentTargetOptions): boolean {
  return (
    stream.current.kind === "statement-end" ||
    stream.isOperator(")") ||
    stream.isOperator("=") ||
    (endsAt !== undefined && stream.isName(endsAt))
  );
}

function parseOne(stream: TokenStream, options: AssignmentTargetOptions): AssignmentTarget {
  if (stream.skipOperator("(") || stream.skipOperator("[")) {
    const inner = stream.nested(() => parseTarget(stream, { ...options, withMembers: false }));
    if (!stream.skipOperator(")")) stream.expectOperator("]");
    return inner;
  }
  const { line } = stream;
  const name = stream.expectName();
  if (RESERVED.has(name)) throw new TemplateError(`syntax error: can't assign to '${name}'`, line);
  if (options.withMembers !== true || !stream.skipOperator(".")) return { kind: "name", name };
  return { kind: "member", name, member: stream.expectName() };
}
