// Positions are handed out before transactions commit, so with several writers position 8 can become
// visible while 7 is still under way. A reader must not step over 7; but if 7 was rolled back it will
// never come, and the reader must not wait for ever.
//
// What decides: a transaction gets its id before it takes a position. When a reader finds 7 missing
// before 8, it asks for a fresh transaction id: whoever holds 7 has a smaller one. Once a snapshot
// shows that every transaction up to that id has ended and 7 is still missing, 7 is gone for good.

/** What is known of the missing positions below `upTo`: all who could still fill one have an id below `holdersBelow`. */
export interface Gap {
  readonly upTo: number;
  readonly holdersBelow: bigint;
}

export interface Readable {
  /** How many of the rows read may be delivered. */
  readonly deliver: number;
  /** Whether delivery stopped at a missing position whose fate is not known yet. */
  readonly isBlocked: boolean;
}

/**
 * How far a reader may go. `positions` are those visible after `after`, ascending; `oldestRunning` is
 * the smallest id of any transaction that had not ended in that same snapshot.
 */
export function pickReadable(
  after: number,
  positions: readonly number[],
  { gap, oldestRunning }: { readonly gap: Gap | null; readonly oldestRunning: bigint },
): Readable {
  const settledUpTo = gap !== null && oldestRunning > gap.holdersBelow ? gap.upTo : 0;
  let expected = after + 1;
  for (const [index, position] of positions.entries()) {
    if (position !== expected && position > settledUpTo) return { deliver: index, isBlocked: true };
    expected = position + 1;
  }
  return { deliver: positions.length, isBlocked: false };
}
