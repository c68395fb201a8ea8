// Statements, and the texts and expressions between them.

import { TemplateError } from "../template-error.ts";
import type {
  Expression,
  FilterNode,
  TemplateBody,
  TemplateStatement,
  TemplateTree,
} from "./nodes.ts";
import { parseExpression, parseFilter, parseTuple } from "./parse-expression.ts";
import { type BlockReader, parseCallBlock, parseMacro } from "./parse-macros.ts";
import { parseTarget } from "./parse-target.ts";
import { normaliseLines, scanTemplate } from "./scan-template.ts";
import { TokenStream } from "./token-stream.ts";

export function parseTemplate(source: string): TemplateTree {
  const stream = new TokenStream(scanTemplate(normaliseLines(source)));
  const reader = new StatementReader(stream);
  return { body: reader.readBody() };
}

/** Tags that name other templates. */
const OTHER_TEMPLATES: ReadonlySet<string> = new Set(["include", "import", "from", "extends"]);

class StatementReader implements BlockReader {
  readonly stream: TokenStream;
  readonly #blocks = new Set<string>();
  /** The tags that are open, for messages. */
  readonly #open: string[] = [];

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** Up to a statement that begins with one of the names, which is left to be read. */
  readBody(...ends: readonly string[]): TemplateBody {
    const { stream } = this;
    const body: TemplateStatement[] = [];
    for (;;) {
      const { kind, text, line } = stream.current;
      if (kind === "end") {
        if (ends.length === 0) return body;
        throw new TemplateError(
          `syntax error: the template ends within '${this.#open.at(-1)}', expected ${named(ends)}`,
          line,
        );
      }
      stream.next();
      if (kind === "text") body.push({ kind: "text", text, line });
      else if (kind === "expression-begin") {
        body.push({ kind: "print", value: parseTuple(stream), line });
        stream.expectKind("expression-end");
      } else {
        if (stream.current.kind === "name" && ends.includes(stream.current.text)) return body;
        body.push(...stream.nested(() => this.#readStatement()));
        stream.expectKind("statement-end");
      }
    }
  }

  /** The body behind a statement's head, with the name of its end read. */
  readBlock(tag: string, end: string): TemplateBody {
    this.#open.push(tag);
    this.stream.expectKind("statement-end");
    const body = this.readBody(end);
    this.stream.next();
    this.#open.pop();
    return body;
  }

  #readStatement(): TemplateStatement[] {
    const { stream } = this;
    const { line } = stream;
    const tag = stream.expectName();
    switch (tag) {
      case "if":
        return [this.#readIf(line)];
      case "for":
        return [this.#readFor(line)];
      case "set":
        return [this.#readSet(line)];
      case "macro":
        return [parseMacro(this, line)];
      case "call":
        return [parseCallBlock(this, line)];
      case "filter":
        return [this.#readFilterBlock(line)];
      case "with":
        return [this.#readWith(line)];
      case "block":
        return [this.#readBlockTag(line)];
      case "autoescape": {
        const isOn = parseExpression(stream);
        const body = this.readBlock(tag, "endautoescape");
        return [{ kind: "autoescape", isOn, body, line }];
      }
      case "print":
        return parsePrinted(stream).map((value) => ({ kind: "print", value, line }));
      default:
        if (OTHER_TEMPLATES.has(tag)) return [this.#readOther(tag, line)];
        throw this.#unknown(tag, line);
    }
  }

  #unknown(tag: string, line: number): TemplateError {
    const open = this.#open.at(-1);
    const within = open === undefined ? "" : `; the innermost one that is open is '${open}'`;
    return new TemplateError(`syntax error: there is no tag named '${tag}' here${within}`, line);
  }

  #readIf(line: number): TemplateStatement {
    const { stream } = this;
    const branches = [];
    this.#open.push("if");
    for (;;) {
      const test = parseTuple(stream, { withConditional: false });
      stream.expectKind("statement-end");
      branches.push({ test, body: this.readBody("elif", "else", "endif") });
      const { text } = stream.next();
      if (text === "elif") continue;
      const otherwise = text === "else" ? this.#readElse("endif") : [];
      this.#open.pop();
      return { kind: "if", branches, otherwise, line };
    }
  }

  #readElse(end: string): TemplateBody {
    this.stream.expectKind("statement-end");
    const body = this.readBody(end);
    this.stream.next();
    return body;
  }

  #readFor(line: number): TemplateStatement {
    const { stream } = this;
    const target = parseTarget(stream, { endsAt: "in" });
    stream.expectWord("in");
    const over = parseTuple(stream, { withConditional: false, endsAt: "recursive" });
    const test = stream.skipName("if") ? parseExpression(stream) : null;
    const isRecursive = stream.skipName("recursive");
    this.#open.push("for");
    stream.expectKind("statement-end");
    const body = this.readBody("endfor", "else");
    const otherwise = stream.next().text === "else" ? this.#readElse("endfor") : [];
    this.#open.pop();
    return { kind: "for", target, over, test, isRecursive, body, otherwise, line };
  }

  #readSet(line: number): TemplateStatement {
    const { stream } = this;
    const target = parseTarget(stream, { withMembers: true });
    if (stream.skipOperator("=")) return { kind: "set", target, value: parseTuple(stream), line };
    const filter = stream.isOperator("|") ? readFilters(stream) : null;
    return { kind: "set-block", target, filter, body: this.readBlock("set", "endset"), line };
  }

  #readFilterBlock(line: number): TemplateStatement {
    const filter = readFilters(this.stream);
    return { kind: "filter-block", filter, body: this.readBlock("filter", "endfilter"), line };
  }

  #readWith(line: number): TemplateStatement {
    const { stream } = this;
    const bindings = [];
    while (stream.current.kind !== "statement-end") {
      if (bindings.length > 0) stream.expectOperator(",");
      const target = parseTarget(stream, {});
      stream.expectOperator("=");
      bindings.push({ target, value: parseExpression(stream) });
    }
    return { kind: "with", bindings, body: this.readBlock("with", "endwith"), line };
  }

  #readBlockTag(line: number): TemplateStatement {
    const { stream } = this;
    const name = stream.expectName();
    if (this.#blocks.has(name))
      throw new TemplateError(`syntax error: there are two blocks named '${name}'`, line);
    this.#blocks.add(name);
    const isScoped = stream.skipName("scoped");
    stream.skipName("required");
    const body = this.readBlock("block", "endblock");
    stream.skipName(name);
    return { kind: "block", name, isScoped, body, line };
  }

  #readOther(tag: string, line: number): TemplateStatement {
    const { stream } = this;
    parseExpression(stream);
    while (stream.current.kind !== "statement-end" && stream.current.kind !== "end") stream.next();
    return { kind: "other-template", tag, line };
  }
}

function parsePrinted(stream: TokenStream): Expression[] {
  const values = [];
  while (stream.current.kind !== "statement-end") {
    if (values.length > 0) stream.expectOperator(",");
    values.push(parseExpression(stream));
  }
  return values;
}

/** Filters over a block: the first has nothing before it. */
function readFilters(stream: TokenStream): FilterNode {
  let filter = parseFilter(stream, null);
  while (stream.isOperator("|")) filter = parseFilter(stream, filter);
  return filter;
}

const named = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(" or ");
