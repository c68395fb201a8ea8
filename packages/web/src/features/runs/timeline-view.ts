// Which part of a run's time is shown, as shares of the whole from 0 to 1.

export interface TimelineView {
  readonly from: number;
  readonly to: number;
}

export const WHOLE: TimelineView = { from: 0, to: 1 };
/** As far as it makes sense to look closer. */
const LEAST = 1e-5;
const MARGIN = 0.02;

/**
 * Closer with a factor below 1, wider with one above; what is at `share` of the width stays where
 * it is.
 */
export function zoomed({ from, to }: TimelineView, factor: number, share = 0.5): TimelineView {
  const length = Math.min(1, Math.max(LEAST, (to - from) * factor));
  const fixed = from + (to - from) * share;
  return within(fixed - length * share, length);
}

/** To the side by a share of what is shown. */
export const moved = ({ from, to }: TimelineView, by: number): TimelineView =>
  within(from + (to - from) * by, to - from);

/** All of what is given and a little more. */
export function around(
  rows: readonly { readonly left: number; readonly width: number }[],
): TimelineView {
  if (rows.length === 0) return WHOLE;
  const from = rows.reduce((least, { left }) => Math.min(least, left), 1);
  const to = rows.reduce((most, { left, width }) => Math.max(most, left + width), 0);
  const length = Math.max(LEAST, (to - from) * (1 + 2 * MARGIN));
  return within(from - (to - from) * MARGIN, Math.min(1, length));
}

function within(from: number, length: number): TimelineView {
  const start = Math.min(Math.max(0, from), 1 - length);
  return { from: start, to: start + length };
}
