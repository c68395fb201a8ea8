// Positions are handed out before transactions commit, so with several writers position 8 can
// become visible while 7 is still under way. A reader must not step over 7; but if 7 was rolled
// back it will never come, and the reader must not wait for ever.
//
// What decides: whoever writes to the log holds a lock on it from before it takes a position until
// its transaction ends. A reader that finds 7 missing before 8 asks who holds that lock. Once all
// of those have ended, a position that is still missing is gone for good. Transactions that never
// touch the log, here or in other databases of the server, do not matter.

/** Missing positions up to `upTo`, and those who could still fill one. */
export interface PositionGap {
  readonly upTo: number;
  readonly writers: ReadonlySet<string>;
}

/** What is left of a gap when only `running` still run; null when nobody can fill it any more. */
export function narrowGap(
  { upTo, writers }: PositionGap,
  running: ReadonlySet<string>,
): PositionGap | null {
  const left = new Set([...writers].filter((writer) => running.has(writer)));
  return left.size === 0 ? null : { upTo, writers: left };
}

export interface Readable {
  /** How many of the rows read may be delivered. */
  readonly deliver: number;
  /** Whether delivery stopped at a missing position whose fate is not known yet. */
  readonly isBlocked: boolean;
}

/**
 * How far a reader may go. `positions` are those visible after `after`, ascending; what is missing
 * up to `settledUpTo` is known to be gone.
 */
export function pickReadable(
  after: number,
  positions: readonly number[],
  settledUpTo: number,
): Readable {
  let expected = after + 1;
  for (const [index, position] of positions.entries()) {
    if (position !== expected && position > settledUpTo) return { deliver: index, isBlocked: true };
    expected = position + 1;
  }
  return { deliver: positions.length, isBlocked: false };
}
