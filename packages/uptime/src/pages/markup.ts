/** Text that is markup already. Everything else is escaped where it is put into markup. */
export class HtmlMarkup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = HtmlMarkup | string | number | null | readonly MarkupPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What XML has no way to write at all: most control characters, and halves of characters. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are meant
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;

/** Fit for the text and the quoted attributes of HTML, SVG and XML alike. */
function escaped(text: string): string {
  return text
    .replaceAll(UNWRITABLE, "\uFFFD")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/**
 * Markup with values in it: texts are escaped, lists are put one behind the other, null is nothing.
 */
export function markup(pieces: TemplateStringsArray, ...values: readonly MarkupPart[]): HtmlMarkup {
  return new HtmlMarkup(
    pieces.reduce((text, piece, index) => text + written(values[index - 1] ?? null) + piece),
  );
}

function written(part: MarkupPart): string {
  if (part === null) return "";
  if (part instanceof HtmlMarkup) return part.text;
  if (typeof part === "string") return escaped(part);
  return typeof part === "number" ? String(part) : part.map(written).join("");
}
