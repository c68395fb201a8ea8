import { wellFormed } from "@orchestrator/exact-json";

const GAP = "...";

/** The beginning and the end of a long text say most. */
export function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - GAP.length) / 2);
  return wellFormed(`${text.slice(0, half)}${GAP}${text.slice(-half)}`);
}
