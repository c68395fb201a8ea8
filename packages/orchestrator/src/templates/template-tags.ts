// Finds the tags of a template, to count what the engine does not bound. The engine itself decides what
// is valid; a template that it refuses may be read wrongly here.

export interface TemplateTag {
  readonly kind: "statement" | "expression";
  readonly line: number;
  /** Names and single signs in order, texts left out. */
  readonly words: readonly string[];
  /** Where each of them begins. */
  readonly starts: readonly number[];
}

const OPENING = /\{[{%#]/g;
const RAW_END = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
// A text, a name or number, the end of a statement or an expression, any other sign. A text without an end
// is all that follows: to look again from each of its quotes would take the square of the length.
const PART = /"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|[\w]+|[-+]?%\}|-?\}\}|\s+|./gsu;

export function readTags(text: string): TemplateTag[] {
  const tags: TemplateTag[] = [];
  const lines = lineCounter(text);
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (opening === null) return tags;
    const start = opening.index + 2;
    if (opening[0] === "{#") {
      const end = text.indexOf("#}", start);
      if (end === -1) return tags;
      at = end + 2;
      continue;
    }
    const kind = opening[0] === "{%" ? "statement" : "expression";
    const { words, starts, end } = readWords(text, start, kind);
    tags.push({ kind, line: lines(opening.index), words, starts });
    at = kind === "statement" && words[0] === "raw" ? skipRaw(text, end) : end;
  }
}

function readWords(
  text: string,
  start: number,
  kind: TemplateTag["kind"],
): Pick<TemplateTag, "words" | "starts"> & { readonly end: number } {
  const words: string[] = [];
  const starts: number[] = [];
  let open = 0;
  PART.lastIndex = start;
  for (let found = PART.exec(text); found !== null; found = PART.exec(text)) {
    const [part] = found;
    if (kind === "statement" && part.endsWith("%}")) return { words, starts, end: PART.lastIndex };
    if (kind === "expression" && part.endsWith("}}")) {
      if (open === 0) return { words, starts, end: PART.lastIndex };
      // The ends of maps within the expression, not of the expression.
      open -= 1;
      PART.lastIndex -= 1;
    } else if (part === "{") open += 1;
    else if (part === "}") open -= 1;
    else if (part.trim() !== "" && !/^["'].*["']$/s.test(part) && part !== "-") {
      words.push(part);
      starts.push(found.index);
    }
  }
  return { words, starts, end: text.length };
}

function skipRaw(text: string, at: number): number {
  RAW_END.lastIndex = at;
  return RAW_END.exec(text) === null ? text.length : RAW_END.lastIndex;
}

/** The line of a position, for positions asked in ascending order. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let end = text.indexOf("\n");
  return (position) => {
    for (; end !== -1 && end < position; end = text.indexOf("\n", end + 1)) line += 1;
    return line;
  };
}
