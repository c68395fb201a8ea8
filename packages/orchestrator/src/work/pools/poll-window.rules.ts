import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";

/** The runs that are asked for: due between these two times. */
export interface Due {
  readonly before: string;
  readonly after: string;
}

const ANY_TIME: Due = {
  before: "9999-12-31T23:59:59.999999Z",
  after: "0000-01-01T00:00:00.000000Z",
};

interface PollWindow {
  readonly scheduled_before?: string | undefined;
  readonly scheduled_after?: string | undefined;
}

/** What a poll that does not wait asks for: any time, unless it says otherwise. */
export function pollDueOf({ scheduled_before, scheduled_after }: PollWindow): Due {
  return {
    before: scheduled_before ?? ANY_TIME.before,
    after: scheduled_after ?? ANY_TIME.after,
  };
}

const SECOND = 1_000_000;
const MOST_SECONDS_AHEAD = 10 * 366 * 86_400;

/**
 * How far ahead of their time a poll that waits wants runs. Whoever asks computes that time from a
 * clock of its own just before it asks; in whole seconds, those who want the same can be seen to
 * want the same.
 */
export function secondsAhead({ scheduled_before }: PollWindow, nowMicros: number): number {
  if (scheduled_before === undefined) return 0;
  const seconds = Math.round((parseMicros(scheduled_before) - nowMicros) / SECOND);
  // Not the zero that is less than nothing.
  return seconds === 0 ? 0 : seconds;
}

/** What a poll that waits asks for at a moment. */
export function dueAhead(seconds: number, asked: PollWindow, nowMicros: number): Due {
  const { after } = pollDueOf(asked);
  if (seconds > MOST_SECONDS_AHEAD) return { before: ANY_TIME.before, after };
  const before = Math.max(0, nowMicros + seconds * SECOND);
  return { before: formatMicros(before), after };
}

/** In how many milliseconds a run that is scheduled for `time` is wanted. */
export function msUntilDue(time: string | null, seconds: number, nowMicros: number) {
  if (time === null) return null;
  return Math.max(0, Math.ceil((parseMicros(time) - seconds * SECOND - nowMicros) / 1000));
}
