// What an event does to the bucket of a trigger, and what the end of a window does. Times are microseconds.

import type { Verdict } from "@orchestrator/contract";
import type { EventTrigger } from "./triggers.rules.ts";
import { type Remark, remark } from "./verdicts.rules.ts";

const SECOND = 1_000_000;
/** Events that come in the wrong order still count in the first window when they are no older than this. */
const OUT_OF_ORDER = 15 * 60 * SECOND;
/** How long after its end a bucket that waits for nothing is kept. */
const KEPT = 60 * SECOND;

export interface Bucket {
  readonly starts: number;
  readonly ends: number;
  readonly count: number;
  /** The last event that it saw, as JSON text; only kept where an absence may have to be told. */
  readonly lastEvent: string | null;
}

/** An event that fits the trigger. */
export interface Arrival {
  readonly at: number;
  readonly isExpected: boolean;
  readonly startsWindow: boolean;
  readonly body: string;
}

export interface Step {
  /** The bucket afterwards; null when there is none. */
  readonly bucket: Bucket | null;
  /** For each firing the event that it is about. */
  readonly firings: readonly (string | null)[];
  /** Why it was so, in order. */
  readonly remarks: readonly Remark[];
}

type Window = Pick<
  EventTrigger,
  "after" | "for_each" | "posture" | "threshold" | "within" | "watchesUnasked"
>;

/** A trigger that fires at each event has nothing to remember. */
export function isStateless({ posture, after, threshold, within }: Window): boolean {
  return posture === "Reactive" && after.length === 0 && threshold === 1 && within === 0;
}

export function onEvent(trigger: Window, bucket: Bucket | null, event: Arrival): Step {
  if (trigger.posture === "Proactive") return proactive(trigger, bucket, event);
  return trigger.after.length === 0
    ? reactive(trigger, bucket, event)
    : reactiveAfter(trigger, bucket, event);
}

/** Looks at a bucket though no event has come. */
export function onTime(trigger: Window, bucket: Bucket, now: number): Step {
  if (trigger.posture === "Proactive") return judge(trigger, bucket, now);
  if (now < bucket.ends + KEPT) return { bucket, firings: [], remarks: [] };
  return { bucket: null, firings: [], remarks: endOf(trigger, bucket) };
}

/** When a bucket has to be looked at. */
export function dueOf({ posture }: Window, { ends }: Bucket): number {
  return posture === "Proactive" ? ends : ends + KEPT;
}

/** The bucket that a trigger begins with when its automation is made or switched on. */
export function firstBucket(trigger: Window, now: number): Bucket | null {
  return isWatched(trigger) ? opened(now, trigger, null) : null;
}

/** Whether an absence is waited for from the beginning, not from an event on. */
function isWatched({ posture, after, for_each, watchesUnasked }: Window): boolean {
  const isAsked = after.length > 0 && watchesUnasked !== true;
  return posture === "Proactive" && !isAsked && for_each.length === 0;
}

function reactive(trigger: Window, known: Bucket | null, { at, body }: Arrival): Step {
  const length = micros(trigger);
  let bucket = known ?? { ...opened(at, trigger, null), starts: at - OUT_OF_ORDER };
  if (at < bucket.starts) {
    return { bucket, firings: [], remarks: [say("before-window", trigger, bucket)] };
  }
  const remarks: Remark[] = [];
  if (length > 0 && at >= bucket.ends) {
    remarks.push(...endOf(trigger, bucket));
    bucket = opened(at, trigger, null);
  }
  const counted = { ...bucket, count: bucket.count + 1 };
  if (counted.count < trigger.threshold) {
    return {
      bucket: counted,
      firings: [],
      remarks: [...remarks, say("counted", trigger, counted)],
    };
  }
  const next = length > 0 ? opened(bucket.ends, trigger, null) : null;
  return { bucket: next, firings: [body], remarks: [...remarks, say("fired", trigger, counted)] };
}

function reactiveAfter(trigger: Window, known: Bucket | null, event: Arrival): Step {
  const { at, isExpected, body } = event;
  const { bucket, remarks } = openAfter(trigger, known, event);
  const still = (verdict: Verdict | null, after: Bucket | null): Step => ({
    bucket: after,
    firings: [],
    remarks: verdict === null ? remarks : [...remarks, say(verdict, trigger, bucket)],
  });
  if (bucket === null || !isExpected) return still(isExpected ? "no-window" : null, bucket);
  if (at < bucket.starts) return still("before-window", bucket);
  if (trigger.within > 0 && at >= bucket.ends) return still("window-over", null);
  const counted = { ...bucket, count: bucket.count + 1 };
  const said = counted.count > 0 ? [say("counted", trigger, counted)] : [];
  return counted.count < trigger.threshold
    ? { bucket: counted, firings: [], remarks: [...remarks, ...said] }
    : { bucket: null, firings: [body], remarks: [...remarks, say("fired", trigger, counted)] };
}

function proactive(trigger: Window, known: Bucket | null, event: Arrival): Step {
  const { at, isExpected, startsWindow, body } = event;
  const overdue =
    known === null ? { bucket: null, firings: [], remarks: [] } : judge(trigger, known, at);
  const { firings } = overdue;
  const resting = overdue.bucket !== null && isResting(overdue.bucket) ? overdue.bucket : null;
  const open = resting === null ? overdue.bucket : null;
  const { bucket, remarks: opening } = openFor(trigger, open, event);
  const remarks = [...overdue.remarks, ...opening];
  if (bucket === null) {
    return { bucket: resting, firings, remarks: [...remarks, say("no-window", trigger, null)] };
  }
  if (!isExpected || at < bucket.starts) {
    const said = isExpected ? [say("before-window", trigger, bucket)] : [];
    return { bucket: { ...bucket, lastEvent: body }, firings, remarks: [...remarks, ...said] };
  }
  const counted = { ...bucket, count: bucket.count + 1, lastEvent: body };
  const isMet = counted.count >= trigger.threshold;
  const said =
    counted.count > 0 ? [say(isMet ? "expected-came" : "counted", trigger, counted)] : [];
  // What both begins and ends the wait begins it anew.
  const after = startsWindow && isMet ? opened(at, trigger, body) : counted;
  return { bucket: after, firings, remarks: [...remarks, ...said] };
}

interface Opening {
  readonly bucket: Bucket | null;
  readonly remarks: readonly Remark[];
}

function openFor(trigger: Window, known: Bucket | null, event: Arrival): Opening {
  if (trigger.after.length > 0) return openAfter(trigger, known, event);
  const bucket = known ?? { ...opened(event.at, trigger, null), starts: event.at - OUT_OF_ORDER };
  return { bucket, remarks: [] };
}

/** A window that is open stays; an event that is expected as well brings the count to 0 only. */
function openAfter(trigger: Window, known: Bucket | null, event: Arrival): Opening {
  const { at, isExpected, startsWindow } = event;
  if (!startsWindow || (known !== null && at < known.ends)) return { bucket: known, remarks: [] };
  const bucket = { ...opened(at, trigger, null), count: isExpected ? -1 : 0 };
  const before = known === null ? [] : endOf(trigger, known);
  return { bucket, remarks: [...before, say("window-opened", trigger, bucket)] };
}

/** The expectation is met, or its absence fires. Without `after` the next window follows. */
function judge(trigger: Window, bucket: Bucket, now: number): Step {
  if (now < bucket.ends) return { bucket, firings: [], remarks: [] };
  if (isResting(bucket)) return { bucket: firstBucket(trigger, now), firings: [], remarks: [] };
  const isMet = bucket.count >= trigger.threshold;
  const isOver = trigger.after.length > 0 || (isMet && trigger.for_each.length > 0);
  const next = opened(Math.max(bucket.ends, now), trigger, bucket.lastEvent);
  return {
    bucket: isOver ? rest(trigger, now) : next,
    firings: isMet ? [] : [bucket.lastEvent],
    // When enough had come was told when they came.
    remarks: isMet ? [] : [say("fired", trigger, bucket)],
  };
}

/**
 * Where an absence is waited for whether or not an event of `after` has come: no window for as long as one lasts, and
 * then the next.
 */
function rest(trigger: Window, now: number): Bucket | null {
  return isWatched(trigger) ? opened(now + micros(trigger), { within: 0 }, null) : null;
}

/** That it is empty tells it from a window. */
const isResting = ({ starts, ends }: Bucket): boolean => starts === ends;

/** A window that nothing was counted in is worth a word only where something has opened it. */
function endOf(trigger: Window, bucket: Bucket): Remark[] {
  return bucket.count > 0 || trigger.after.length > 0 ? [say("window-ended", trigger, bucket)] : [];
}

function say(verdict: Verdict, { threshold }: Window, bucket: Bucket | null): Remark {
  if (bucket === null) return remark(verdict, { threshold });
  const { count, starts, ends } = bucket;
  return remark(verdict, { count, threshold, window: { starts, ends } });
}

function opened(at: number, trigger: Pick<Window, "within">, lastEvent: string | null): Bucket {
  return { starts: at, ends: at + micros(trigger), count: 0, lastEvent };
}

const micros = ({ within }: Pick<Window, "within">): number => Math.round(within * SECOND);
