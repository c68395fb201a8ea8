import { clean } from "./clean.ts";
import { dim } from "./style.ts";
import { beginningOf, widthOf } from "./width.ts";

export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** Numbers stand under each other at the right. */
  readonly right?: boolean;
  /**
   * No wider than this even where nothing limits the width, as in a pipe: one long text would push
   * what stands behind it out of sight.
   */
  readonly most?: number;
  /** Left out where there is no room for all. */
  readonly spare?: boolean;
}

const GAP = "  ";
const ELLIPSIS = "…";
const NARROWEST = 8;
/** So much of all else is left before a name is cut, by which commands are told what is meant. */
const NARROW = 12;

/**
 * Rows as text. On a terminal that is too narrow the ids of things that have a name are left out,
 * as commands take the name as well and an id is half of the width; then the widest columns give
 * way.
 */
export function tableText<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width = (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
): string {
  const whole = layOut(columns, rows);
  const isNamed = columns.some(({ title }) => title === "Name");
  const needed = columns.filter(({ title, spare }) => !(spare ?? (isNamed && title === "Id")));
  if (totalOf(whole.widths) <= width || needed.length === columns.length)
    return written(columns, whole, width);
  return written(needed, layOut(needed, rows), width);
}

interface Layout {
  readonly cells: readonly (readonly string[])[];
  readonly widths: number[];
}

function layOut<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): Layout {
  const cells = rows.map((row) =>
    columns.map(({ cell }) => oneLine(clean(String(cell(row) ?? "–")))),
  );
  const widths = columns.map(({ title, most = Number.POSITIVE_INFINITY }, i) =>
    Math.min(most, Math.max(widthOf(title), ...cells.map((line) => widthOf(line[i] ?? "")))),
  );
  return { cells, widths };
}

function written<Row>(
  columns: readonly TableColumn<Row>[],
  { cells, widths }: Layout,
  width: number,
): string {
  const isOther = columns.map(({ title }) => title !== "Id" && title !== "Name");
  shrink(widths, { mayShrink: isOther, least: NARROW, room: width });
  const isNoId = columns.map(({ title }) => title !== "Id");
  shrink(widths, { mayShrink: isNoId, least: NARROWEST, room: width });
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => padded(text, widths[i] ?? 0, columns[i]?.right === true))
      .join(GAP)
      .trimEnd();
  const head = line(columns.map(({ title }) => title.toUpperCase()));
  return [dim(head), ...cells.map(line)].join("\n");
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));

/** Half an id is none, so that ids stay whole; where even that is too wide the terminal wraps. */
function shrink(
  widths: number[],
  {
    mayShrink,
    least,
    room,
  }: { readonly mayShrink: readonly boolean[]; readonly least: number; readonly room: number },
): void {
  for (;;) {
    const excess = totalOf(widths) - room;
    const shrinkable = widths.map((width, i) => (mayShrink[i] ? width : 0));
    const [width = 0, next = 0] = shrinkable.toSorted((a, b) => b - a);
    if (excess <= 0 || width <= least) return;
    // Not below the next one, which is to give way as well then.
    const narrower = Math.max(least, Math.min(next, width - 1));
    widths[shrinkable.indexOf(width)] = Math.max(narrower, width - excess);
  }
}

function padded(text: string, width: number, right: boolean): string {
  if (widthOf(text) > width)
    return padded(`${beginningOf(text, width - 1)}${ELLIPSIS}`, width, right);
  const space = " ".repeat(width - widthOf(text));
  return right ? space + text : text + space;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");
