export type TokenKind =
  | "text"
  | "statement-begin"
  | "statement-end"
  | "expression-begin"
  | "expression-end"
  | "name"
  | "integer"
  | "float"
  | "string"
  | "operator"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The text of the token; for strings, what they stand for. */
  readonly text: string;
  readonly line: number;
}

/** A token as people would name it. */
export function describeToken({ kind, text }: Pick<Token, "kind" | "text">): string {
  switch (kind) {
    case "statement-end":
      return "the end of the statement";
    case "expression-end":
      return "the end of the expression";
    case "end":
      return "the end of the template";
    case "text":
      return "text of the template";
    case "string":
      return `the text ${JSON.stringify(text.slice(0, 50))}`;
    case "statement-begin":
    case "expression-begin":
    case "name":
    case "integer":
    case "float":
    case "operator":
      return `'${text.slice(0, 50)}'`;
  }
}
