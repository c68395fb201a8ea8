/** The numbers without repetition, smallest first. */
export function ascending(values: Iterable<number>): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
