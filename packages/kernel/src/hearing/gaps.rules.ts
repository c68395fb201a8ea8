// What is known of the spans in which the server could not hear, and what follows from it. Times
// are microseconds.

/**
 * A span in which no process of the service could take a request: an outage, a pause of the
 * process, or a clock that jumped.
 */
export interface HearingGap {
  readonly began: number;
  readonly ended: number;
}

/** How long the service has been there to be heard. */
export interface Heard {
  /** When one of its processes last wrote down that it hears. */
  readonly heard: number;
  /** Since when there was no gap. */
  readonly since: number;
}

export interface Mark extends Heard {
  /** What the mark has found. */
  readonly gap: HearingGap | null;
}

/** Between two marks of a service lies no more than this, unless it could not hear. */
export const LONGEST_SILENCE_MICROS = 12_000_000;

/**
 * What a process that hears writes down. The clocks of replicas differ a little, so one that is
 * behind changes nothing; only a clock that was set back, by more than clocks differ, begins anew.
 * Deadlines are then later than they would have been, which wrongs nobody.
 */
export function markAt(known: Heard, now: number, wasSetBack: boolean): Mark {
  if (now - known.heard > LONGEST_SILENCE_MICROS)
    return { heard: now, since: now, gap: { began: known.heard, ended: now } };
  if (now >= known.heard) return { heard: now, since: known.since, gap: null };
  return wasSetBack && known.heard - now > LONGEST_SILENCE_MICROS
    ? { heard: now, since: Math.min(known.since, now), gap: null }
    : { ...known, gap: null };
}

/** In order and apart. */
export function arrangeGaps(gaps: readonly HearingGap[]): HearingGap[] {
  const arranged: HearingGap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.began - b.began)) {
    const last = arranged.at(-1);
    if (last === undefined || gap.began > last.ended) arranged.push(gap);
    else arranged[arranged.length - 1] = { ...last, ended: Math.max(last.ended, gap.ended) };
  }
  return arranged;
}

/** For how long between two moments the server could hear. */
export function heardBetween(
  gaps: readonly HearingGap[],
  { from, until }: { readonly from: number; readonly until: number },
): number {
  let heard = Math.max(0, until - from);
  for (const { began, ended } of gaps)
    heard -= Math.max(0, Math.min(ended, until) - Math.max(began, from));
  return heard;
}

/** The moment from which on the server has heard for so long. */
export function heardFrom(
  gaps: readonly HearingGap[],
  { until, micros }: { readonly until: number; readonly micros: number },
): number {
  let from = until - micros;
  for (const { began, ended } of gaps.toReversed())
    if (began < until && ended > from) from -= Math.min(ended, until) - began;
  return from;
}
