import { TemplateError } from "../template-error.ts";
import { describeToken, type Token } from "./tokens.ts";

/** How deep what is read may be nested: the parser and what runs its tree go as deep. */
const MAX_NESTING = 100;

export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #at = 0;
  #nesting = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#end = { kind: "end", text: "", line: tokens.at(-1)?.line ?? 1 };
  }

  get current(): Token {
    return this.#tokens[this.#at] ?? this.#end;
  }

  get following(): Token {
    return this.#tokens[this.#at + 1] ?? this.#end;
  }

  get line(): number {
    return this.current.line;
  }

  next(): Token {
    const token = this.current;
    this.#at += 1;
    return token;
  }

  isOperator(text: string): boolean {
    const { kind, text: found } = this.current;
    return kind === "operator" && found === text;
  }

  isName(text: string): boolean {
    const { kind, text: found } = this.current;
    return kind === "name" && found === text;
  }

  skipOperator(text: string): boolean {
    if (!this.isOperator(text)) return false;
    this.#at += 1;
    return true;
  }

  skipName(text: string): boolean {
    if (!this.isName(text)) return false;
    this.#at += 1;
    return true;
  }

  expectOperator(text: string): void {
    if (!this.skipOperator(text)) throw this.unexpected(`'${text}'`);
  }

  expectWord(text: string): void {
    if (!this.skipName(text)) throw this.unexpected(`'${text}'`);
  }

  expectName(): string {
    if (this.current.kind !== "name") throw this.unexpected("a name");
    return this.next().text;
  }

  expectKind(kind: Token["kind"]): void {
    if (this.current.kind !== kind) throw this.unexpected(describeToken({ kind, text: "" }));
    this.#at += 1;
  }

  /** Reads something that may hold the same again. */
  nested<T>(read: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING)
      throw new TemplateError(
        `the template is nested more than ${MAX_NESTING} deep: recursion ends here`,
        this.line,
      );
    const result = read();
    this.#nesting -= 1;
    return result;
  }

  unexpected(expected?: string): TemplateError {
    const found = `syntax error: unexpected ${describeToken(this.current)}`;
    return new TemplateError(
      expected === undefined ? found : `${found}, expected ${expected}`,
      this.line,
    );
  }
}
