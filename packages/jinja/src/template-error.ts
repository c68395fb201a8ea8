/** Why there is no text. */
export interface TemplateProblem {
  readonly line: number;
  readonly message: string;
  /** The template. */
  readonly source: string;
}

/** Thrown in the event loop where a template is not provably cheap. */
export class CostlyTemplate extends Error {
  readonly needsThread = true;
}

/** What a template did wrong. The line is that of the tag, where it is known. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly line: number | null;
  /** Whether the message says which filter or function failed. */
  readonly isNamed: boolean;

  constructor(message: string, line: number | null = null, isNamed = false) {
    super(message);
    this.line = line;
    this.isNamed = isNamed;
  }

  namedBy(name: string): TemplateError {
    return new TemplateError(`${name}: ${this.message}`, this.line, true);
  }
}
