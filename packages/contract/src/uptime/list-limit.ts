import type { TUnsafe } from "typebox";
import { Int } from "../schema/index.ts";

/**
 * How many of a list: at least one, unlike in the orchestration API, whose clients ask for none.
 */
export function ListLimit(maximum: number, fallback: number): TUnsafe<number> {
  return Int({
    minimum: 1,
    maximum,
    default: fallback,
    description: `At most this many; ${fallback} when left out`,
  });
}
