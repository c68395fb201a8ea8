const MOST_EDITS = 3;
const LETTERS_PER_EDIT = 3;
const MOST_SHOWN = 3;

/** ` Did you mean …?`, where some of the names are nearly what was written; else nothing. */
export function suggestion(written: string, names: readonly string[]): string {
  const mostEdits = Math.min(MOST_EDITS, Math.ceil(written.length / LETTERS_PER_EDIT));
  const near = names
    .map((name) => ({ name, edits: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= mostEdits || isPartOf(written, name))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, MOST_SHOWN)
    .map(({ name }) => name);
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

const isPartOf = (written: string, name: string): boolean =>
  written.length >= MOST_EDITS && name.toLowerCase().includes(written.toLowerCase());

/**
 * How many letters must be put in, taken out, changed or swapped with the next to come from one
 * text to the other.
 */
function distance(from: string, to: string): number {
  let earlier: readonly number[] = [];
  let before: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (before[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const removed = (before[column] ?? 0) + 1;
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? (earlier[column - 2] ?? 0) + 1 : changed;
      current.push(Math.min(changed, removed, swapped, (current[column - 1] ?? 0) + 1));
    }
    earlier = before;
    before = current;
  }
  return before[to.length] ?? 0;
}
