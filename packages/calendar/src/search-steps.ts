// Counts what searches through schedules look at, so that the event loop gives up those that are
// not cheap.

/** Thrown in `searchInline` by a search that is not cheap. */
class CostlySearch extends Error {
  readonly needsThread = true;
}

/**
 * A few milliseconds. A schedule that is not made to take long needs a hundred or two for all its
 * next runs.
 */
const INLINE_STEPS = 600;

/** Not counted outside of `searchInline`. A search is synchronous, so no two of them share this. */
let left = Number.POSITIVE_INFINITY;

/** One step is a period of a rule; what is faster is part of one. */
export function spendSteps(steps: number): void {
  left -= steps;
  if (left < 0) throw new CostlySearch();
}

/**
 * Runs searches in the event loop. Throws `CostlySearch` when all of them together are not cheap.
 */
export function searchInline<T>(work: () => T): T {
  left = INLINE_STEPS;
  try {
    return work();
  } finally {
    left = Number.POSITIVE_INFINITY;
  }
}
