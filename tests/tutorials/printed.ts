// Compares what a page says that a command prints with what it printed.

/** What differs from one run to the next in any output, and what may stand in its place. */
const VARYING: readonly (readonly [example: string, pattern: string])[] = [
  ["\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?", "\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?"],
  ["\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z"],
  [
    "(?:in )?\\b\\d+(?:\\.\\d+)? ?(?:ms|[smhd])\\b(?: ago)?",
    "(?:now|(?:in )?\\d+(?:\\.\\d+)? ?(?:ms|[smhd])\\b(?: \\d+[smh]\\b)?(?: ago)?)",
  ],
  ["…", ".*"],
];
const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";

const TIMED = /^\d\d:\d\d:\d\d\.\d{3} \| /;

/**
 * The values that a page shows as examples, and the values that the test has met in their place.
 */
export class Printed {
  readonly #examples: ReadonlyMap<string, string>;
  readonly #met = new Map<string, string>();

  /** `examples`: values that a run of the tutorial makes up, with patterns of them. */
  constructor(examples: Readonly<Record<string, RegExp>>) {
    this.#examples = new Map(Object.entries(examples).map(([text, { source }]) => [text, source]));
  }

  /** From here on, `actual` stands where the page has `example`. */
  meet(example: string, actual: string): void {
    this.#met.set(example, actual);
  }

  /** What a reader types where the page has `text`. */
  typed(text: string): string {
    return [...this.#met].reduce(
      (typed, [example, actual]) => typed.replaceAll(example, actual),
      text,
    );
  }

  /**
   * Throws unless the output has all lines of the page, in their order; others may stand between
   * them. Logs arrive apart from states, so a line that begins with a time may stand anywhere.
   */
  require(page: string, output: string): void {
    const lines = output.split("\n").map(spaced);
    let next = 0;
    for (const text of page.split("\n").map(spaced)) {
      if (text === "" || text === "…") continue;
      const isTimed = TIMED.test(text);
      const found = lines.findIndex(
        (line, i) => (isTimed || i >= next) && this.#isLine(text, line),
      );
      if (found === -1) throw new Error(`It did not print\n  ${text}\nbut\n${output}`);
      if (!isTimed) next = found + 1;
    }
  }

  #isLine(text: string, line: string): boolean {
    const names: string[] = [];
    const tokens = new RegExp(
      [...this.#met.keys(), ...this.#examples.keys()]
        .map((example) => escaped(example))
        .concat(UUID, ...VARYING.map(([example]) => example))
        .join("|"),
      "g",
    );
    let source = "";
    let from = 0;
    for (const { 0: example, index } of text.matchAll(tokens)) {
      source += escaped(text.slice(from, index)) + this.#patternOf(example, names);
      from = index + example.length;
    }
    const match = new RegExp(`^${source}${escaped(text.slice(from))}$`).exec(line);
    if (match === null) return false;
    for (const [i, example] of names.entries()) this.#met.set(example, match[i + 1] ?? "");
    return true;
  }

  /** An example that was not met yet becomes a group, so that later commands can name it. */
  #patternOf(example: string, names: string[]): string {
    const met = this.#met.get(example);
    if (met !== undefined) return escaped(met);
    const pattern = this.#examples.get(example) ?? (isUuid(example) ? UUID : undefined);
    if (pattern === undefined) return varying(example);
    names.push(example);
    return `(${pattern})`;
  }
}

const isUuid = (text: string): boolean => new RegExp(`^${UUID}$`).test(text);

const varying = (text: string): string =>
  VARYING.find(([example]) => new RegExp(`^(?:${example})$`).test(text))?.[1] ?? escaped(text);

/** Columns of tables are as wide as their cells. */
const spaced = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
