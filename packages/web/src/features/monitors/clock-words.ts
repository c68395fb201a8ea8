import { durationLabel, timeLabel } from "../../lib/time.ts";

const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;
/** A check takes a while, and the target says its time somewhere within it. */
const IN_STEP_S = 5;

/** A time as a target writes it: in the viewer's zone where it names one, else as it stands. */
export function targetTimeText(time: string): string {
  if (ZONED.test(time) && !Number.isNaN(Date.parse(time))) return timeLabel(time);
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.0+)?$/, "$1 $2");
}

/** How far the clock of a target is from that of this server. */
export function skewOf(time: string, seenAt: number): string {
  const seconds = ZONED.test(time) ? (Date.parse(time) - seenAt) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) return "";
  if (Math.abs(seconds) < IN_STEP_S) return ", in step with this server";
  return `, ${durationLabel(Math.abs(seconds))} ${seconds > 0 ? "ahead of" : "behind"} this server`;
}
