import { type TextSearch, termInJson } from "../text-search/text-search.ts";
import { bloomBitsOf } from "./bloom-bits.ts";

/** Bits that are all set where one of the ways to meet a condition may be met. */
type Alternative = readonly number[];
/** A condition: one of these. */
type Alternatives = readonly Alternative[];

/**
 * What the marks of a block must be like for a search to find something in it: all of the
 * conditions.
 */
export type RequiredBits = readonly Alternatives[];

/** A search with more is answered as if there were no marks. */
const MOST_ALTERNATIVES = 32;

/**
 * Null where the marks say nothing: too few letters in a row, or such as engines fold in their own
 * way.
 */
export function requiredBits(
  { anyOf, allOf }: TextSearch,
  { holdsJson }: { readonly holdsJson: boolean },
): RequiredBits | null {
  const asked = [...allOf.map((term) => [term]), ...(anyOf.length === 0 ? [] : [anyOf])];
  const wanted = asked
    .map((terms) => terms.flatMap((term) => formsOf(term, holdsJson)).map(bloomBitsOf))
    .filter((alternatives) => alternatives.every((bits) => bits.length > 0));
  const most = wanted.reduce((sum, { length }) => sum + length, 0);
  return wanted.length === 0 || most > MOST_ALTERNATIVES ? null : wanted;
}

/** Within JSON a term may stand as it is or with escapes. */
function formsOf(term: string, holdsJson: boolean): string[] {
  const escaped = termInJson(term);
  return holdsJson && escaped !== term ? [term, escaped] : [term];
}
