import { stripVTControlCharacters } from "node:util";
import { clean } from "./clean.ts";
import { dim } from "./style.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** Numbers stand under each other at the right. */
  readonly right?: boolean;
  /** No wider than this even where nothing limits the width, as in a pipe: one long text would push what stands behind it out of sight. */
  readonly most?: number;
}

const GAP = "  ";
const ELLIPSIS = "…";
const NARROWEST = 8;

const widthOf = (text: string): number => Array.from(stripVTControlCharacters(text)).length;

/** Rows as text; on a terminal that is too narrow the widest column gives way. */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
): string {
  const cells = rows.map((row) =>
    columns.map(({ cell }) => oneLine(clean(String(cell(row) ?? "–")))),
  );
  const widths = columns.map(({ title, most = Number.POSITIVE_INFINITY }, i) =>
    Math.min(most, Math.max(widthOf(title), ...cells.map((line) => widthOf(line[i] ?? "")))),
  );
  const mayShrink = columns.map(({ title }) => title !== "Id");
  shrink(widths, mayShrink, width - GAP.length * (columns.length - 1));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => padded(text, widths[i] ?? 0, columns[i]?.right === true))
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ title }) => title.toUpperCase()));
  return [dim(head), ...cells.map(line)].join("\n");
}

/** Half an id is none, so that ids stay whole; where even that is too wide the terminal wraps. */
function shrink(widths: number[], mayShrink: readonly boolean[], room: number): void {
  for (;;) {
    const total = widths.reduce((sum, width) => sum + width, 0);
    const shrinkable = widths.map((width, i) => (mayShrink[i] ? width : 0));
    const widest = shrinkable.indexOf(Math.max(...shrinkable));
    const width = shrinkable[widest] ?? 0;
    if (total <= room || width <= NARROWEST) return;
    widths[widest] = Math.max(NARROWEST, width - (total - room));
  }
}

function padded(text: string, width: number, right: boolean): string {
  const excess = widthOf(text) - width;
  if (excess > 0)
    return `${Array.from(stripVTControlCharacters(text))
      .slice(0, width - 1)
      .join("")}${ELLIPSIS}`;
  return right ? " ".repeat(-excess) + text : text + " ".repeat(-excess);
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");
