// CSV as RFC 4180 has it. Programs that show tables take a text that begins with one of a few
// characters for a formula, which could fetch or send things; an apostrophe in front makes it text.

export type CsvCell = string | number | boolean | null;

const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** One line of a table, with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
