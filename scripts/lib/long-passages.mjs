// Finds table cells and paragraphs that are too long to be read at a glance.

/** Two lines of a usual screen. */
const MAX_CELL = 160;
const MAX_LINES = 5;
const MAX_PARAGRAPH = 520;
const LINK_TARGET = /\]\([^)]*\)/g;

/** Each with its line number, from 1. An item of a list counts as a paragraph. */
export function longPassagesIn(text) {
  const found = [];
  let paragraph = { line: 0, lines: [] };
  let isCode = false;
  const close = () => {
    const { line, lines } = paragraph;
    const { length } = lines.join(" ").replace(LINK_TARGET, "]");
    if (lines.length > MAX_LINES || length > MAX_PARAGRAPH)
      found.push({ line, what: `a paragraph of ${lines.length} lines, ${length} characters` });
    paragraph = { line: 0, lines: [] };
  };
  for (const [index, raw] of text.split("\n").entries()) {
    const trimmed = raw.trim();
    const isFence = trimmed.startsWith("```");
    if (isFence) isCode = !isCode;
    if (isCode || isFence) close();
    else if (trimmed.startsWith("|")) {
      close();
      found.push(...longCellsIn(trimmed, index + 1));
    } else if (trimmed === "" || /^(?:#|[-*] |\d+\. )/.test(trimmed)) {
      close();
      if (trimmed !== "") paragraph = { line: index + 1, lines: [trimmed] };
    } else if (paragraph.lines.length === 0) paragraph = { line: index + 1, lines: [trimmed] };
    else paragraph.lines.push(trimmed);
  }
  close();
  return found;
}

function longCellsIn(row, line) {
  return row
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(LINK_TARGET, "]").length)
    .filter((length) => length > MAX_CELL)
    .map((length) => ({ line, what: `a table cell of ${length} characters` }));
}
