// What an event does to the bucket of a trigger, and what the end of a window does. Times are microseconds.

import type { EventTrigger } from "./triggers.rules.ts";

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
}

type Window = Pick<EventTrigger, "after" | "for_each" | "posture" | "threshold" | "within">;

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
  return { bucket: now < bucket.ends + KEPT ? bucket : null, firings: [] };
}

/** When a bucket has to be looked at. */
export function dueOf({ posture }: Window, { ends }: Bucket): number {
  return posture === "Proactive" ? ends : ends + KEPT;
}

/** The bucket that a trigger begins with when its automation is made or switched on. */
export function firstBucket(trigger: Window, now: number): Bucket | null {
  const isWatched =
    trigger.posture === "Proactive" && trigger.after.length === 0 && trigger.for_each.length === 0;
  return isWatched ? opened(now, trigger, null) : null;
}

function reactive(trigger: Window, known: Bucket | null, { at, body }: Arrival): Step {
  const length = micros(trigger);
  let bucket = known ?? { ...opened(at, trigger, null), starts: at - OUT_OF_ORDER };
  if (at < bucket.starts) return { bucket, firings: [] };
  if (length > 0 && at >= bucket.ends) bucket = opened(at, trigger, null);
  const count = bucket.count + 1;
  if (count < trigger.threshold) return { bucket: { ...bucket, count }, firings: [] };
  const next = length > 0 ? opened(bucket.ends, trigger, null) : null;
  return { bucket: next, firings: [body] };
}

function reactiveAfter(trigger: Window, known: Bucket | null, event: Arrival): Step {
  const { at, isExpected, startsWindow, body } = event;
  const bucket = startsWindow ? started(trigger, known, event) : known;
  if (bucket === null || !isExpected || at < bucket.starts) return { bucket, firings: [] };
  if (trigger.within > 0 && at >= bucket.ends) return { bucket: null, firings: [] };
  const count = bucket.count + 1;
  return count < trigger.threshold
    ? { bucket: { ...bucket, count }, firings: [] }
    : { bucket: null, firings: [body] };
}

function proactive(trigger: Window, known: Bucket | null, event: Arrival): Step {
  const { at, isExpected, startsWindow, body } = event;
  const overdue = known === null ? { bucket: null, firings: [] } : judge(trigger, known, at);
  const { firings } = overdue;
  const bucket = openFor(trigger, overdue.bucket, event);
  if (bucket === null) return { bucket, firings };
  if (!isExpected || at < bucket.starts) return { bucket: { ...bucket, lastEvent: body }, firings };
  const count = bucket.count + 1;
  // What both begins and ends the wait begins it anew.
  if (startsWindow && count >= trigger.threshold) {
    return { bucket: opened(at, trigger, body), firings };
  }
  return { bucket: { ...bucket, count, lastEvent: body }, firings };
}

function openFor(trigger: Window, known: Bucket | null, event: Arrival): Bucket | null {
  if (trigger.after.length > 0) return event.startsWindow ? started(trigger, known, event) : known;
  return known ?? { ...opened(event.at, trigger, null), starts: event.at - OUT_OF_ORDER };
}

/** The expectation is met, or its absence fires. Without `after` the next window follows. */
function judge(trigger: Window, bucket: Bucket, now: number): Step {
  if (now < bucket.ends) return { bucket, firings: [] };
  const isMet = bucket.count >= trigger.threshold;
  const isOver = trigger.after.length > 0 || (isMet && trigger.for_each.length > 0);
  const next = opened(Math.max(bucket.ends, now), trigger, bucket.lastEvent);
  return { bucket: isOver ? null : next, firings: isMet ? [] : [bucket.lastEvent] };
}

/** A window that is open stays; an event that is expected as well brings the count to 0 only. */
function started(trigger: Window, known: Bucket | null, { at, isExpected }: Arrival): Bucket {
  if (known !== null && at < known.ends) return known;
  return { ...opened(at, trigger, null), count: isExpected ? -1 : 0 };
}

function opened(at: number, trigger: Window, lastEvent: string | null): Bucket {
  return { starts: at, ends: at + micros(trigger), count: 0, lastEvent };
}

const micros = ({ within }: Window): number => Math.round(within * SECOND);
