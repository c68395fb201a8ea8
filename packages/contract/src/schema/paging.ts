import type { TUnsafe } from "typebox";
import { Int } from "./scalars.ts";

const MAX_LIMIT = 200;

/** How many rows at most. Clients depend on the sentence that names a wrong limit. */
export function Limit(maximum: number = MAX_LIMIT, fallback: number = maximum): TUnsafe<number> {
  return Int({
    minimum: 0,
    maximum,
    default: fallback,
    detailPrefix: "Invalid limit: must be",
    description: `At most this many; ${fallback} when left out`,
  });
}

export function Offset(): TUnsafe<number> {
  return Int({ minimum: 0, default: 0, description: "How many to skip" });
}

export function Page(): TUnsafe<number> {
  return Int({ minimum: 1, default: 1, description: "Which page, beginning with 1" });
}
