// What an event does to the bucket of a trigger, and what the end of a window does. Times are
// microseconds.

import type { Verdict } from "@orchestrator/contract";
import {
  addEventTime,
  countEventTimesWithin,
  EVENT_TIMES_SPAN,
  type EventTimes,
} from "./event-times.rules.ts";
import type { EventTriggerRule } from "./triggers.rules.ts";
import { type Remark, remark } from "./verdicts.rules.ts";

const SECOND = 1_000_000;
/**
 * Events that come in the wrong order still count in the first window when they are no older than
 * this.
 */
const OUT_OF_ORDER = 15 * 60 * SECOND;
/** How long after its end a bucket that waits for nothing is kept. */
const KEPT = 60 * SECOND;

export interface Bucket {
  readonly starts: number;
  readonly ends: number;
  readonly count: number;
  /** The last event that it saw, as JSON text; only kept where an absence may have to be told. */
  readonly lastEvent: string | null;
  /**
   * What was expected and may have come before its time; only kept where an absence begins with an
   * event.
   */
  readonly held: EventTimes;
  /** When the last event occurred, where it is one of those. */
  readonly lastHeld: number | null;
}

/** An event that fits the trigger. */
export interface TriggerArrival {
  readonly at: number;
  /** When it is looked at. */
  readonly turn: number;
  readonly isExpected: boolean;
  readonly startsWindow: boolean;
  readonly body: string;
}

export interface BucketStep {
  /** The bucket afterwards; null when there is none. */
  readonly bucket: Bucket | null;
  /** For each firing the event that it is about. */
  readonly firings: readonly (string | null)[];
  /** Why it was so, in order. */
  readonly remarks: readonly Remark[];
}

type Window = Pick<
  EventTriggerRule,
  "after" | "for_each" | "posture" | "threshold" | "within" | "watchesUnasked"
>;

/** A trigger that fires at each event has nothing to remember. */
export function isStateless({ posture, after, threshold, within }: Window): boolean {
  return posture === "Reactive" && after.length === 0 && threshold === 1 && within === 0;
}

export function onEvent(trigger: Window, bucket: Bucket | null, event: TriggerArrival): BucketStep {
  if (trigger.posture === "Proactive") return proactive(trigger, bucket, event);
  return trigger.after.length === 0
    ? reactive(trigger, bucket, event)
    : reactiveAfter(trigger, bucket, event);
}

/** Looks at a bucket though no event has come. */
export function onTime(trigger: Window, bucket: Bucket, now: number): BucketStep {
  if (trigger.posture === "Proactive") return judge(trigger, bucket, now);
  if (now < bucket.ends + KEPT) return { bucket, firings: [], remarks: [] };
  return { bucket: null, firings: [], remarks: endOf(trigger, bucket) };
}

/** When a bucket has to be looked at. */
export function bucketDueTime({ posture }: Window, { ends }: Bucket): number {
  return posture === "Proactive" ? ends : ends + KEPT;
}

/** The bucket that a trigger begins with when its automation is made or switched on. */
export function firstBucket(trigger: Window, now: number, held: EventTimes = []): Bucket | null {
  if (!isWatched(trigger)) return null;
  return opened(
    now,
    trigger,
    null,
    held.filter((time) => time >= now),
  );
}

/** Whether an absence is waited for from the beginning, not from an event on. */
function isWatched({ posture, after, for_each, watchesUnasked }: Window): boolean {
  const isAsked = after.length > 0 && watchesUnasked !== true;
  return posture === "Proactive" && !isAsked && for_each.length === 0;
}

function reactive(trigger: Window, known: Bucket | null, { at, body }: TriggerArrival): BucketStep {
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

function reactiveAfter(trigger: Window, known: Bucket | null, event: TriggerArrival): BucketStep {
  const { at, isExpected, body } = event;
  const { bucket, remarks } = openAfter(trigger, known, event);
  const still = (verdict: Verdict | null, after: Bucket | null): BucketStep => ({
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

function proactive(trigger: Window, known: Bucket | null, event: TriggerArrival): BucketStep {
  const { at, turn, isExpected, startsWindow, body } = event;
  const overdue =
    known === null ? { bucket: null, firings: [], remarks: [] } : judge(trigger, known, at);
  const { firings } = overdue;
  const open = overdue.bucket !== null && isResting(overdue.bucket) ? null : overdue.bucket;
  const before = overdue.bucket?.held ?? [];
  const isHeld = trigger.after.length > 0 && isExpected && !startsWindow;
  const held = isHeld ? addEventTime(before, at, trigger) : before;
  const { bucket, remarks: opening } = openFor(trigger, open, event, held);
  const remarks = [...overdue.remarks, ...opening];
  if (bucket === null) {
    const still = isWatched(trigger) ? overdue.bucket : null;
    const resting = still === null ? rest(trigger, turn, held) : { ...still, held };
    return { bucket: resting, firings, remarks: [...remarks, say("no-window", trigger, null)] };
  }
  if (!isExpected) return { bucket, firings, remarks };
  if (at < bucket.starts) {
    const late = say("before-window", trigger, bucket);
    return { bucket: { ...bucket, held }, firings, remarks: [...remarks, late] };
  }
  const last = { lastEvent: body, lastHeld: isHeld ? at : null };
  const counted = { ...bucket, held, count: bucket.count + 1, ...last };
  const isMet = counted.count >= trigger.threshold;
  // What both begins and ends the wait begins it anew.
  const after =
    startsWindow && isMet
      ? { ...opened(at, trigger, body, held), ...laterOf(bucket, at) }
      : counted;
  return { bucket: after, firings, remarks: [...remarks, ...come(trigger, counted)] };
}

/** What was expected stays the last event where it happened after what begins the wait anew. */
function laterOf(
  { lastEvent, lastHeld }: Bucket,
  at: number,
): Partial<Pick<Bucket, "lastEvent" | "lastHeld">> {
  return lastHeld !== null && lastHeld >= at ? { lastEvent, lastHeld } : {};
}

interface Opening {
  readonly bucket: Bucket | null;
  readonly remarks: readonly Remark[];
}

function openFor(
  trigger: Window,
  known: Bucket | null,
  event: TriggerArrival,
  held: EventTimes,
): Opening {
  if (trigger.after.length > 0) return openAfter(trigger, known, event, held);
  const bucket = known ?? { ...opened(event.at, trigger, null), starts: event.at - OUT_OF_ORDER };
  return { bucket, remarks: [] };
}

/** A window that is open stays; an event that is expected as well brings the count to 0 only. */
function openAfter(
  trigger: Window,
  known: Bucket | null,
  { at, isExpected, startsWindow, body }: TriggerArrival,
  held: EventTimes = [],
): Opening {
  if (!startsWindow || (known !== null && at < known.ends)) return { bucket: known, remarks: [] };
  const full = opened(at, trigger, trigger.posture === "Proactive" ? body : null, held);
  const bucket = isExpected ? { ...full, count: full.count - 1 } : full;
  const before = known === null ? [] : endOf(trigger, known);
  const opening = [...before, say("window-opened", trigger, bucket)];
  // An event that is expected as well is counted in a moment, and what has come is told then.
  return { bucket, remarks: isExpected ? opening : [...opening, ...come(trigger, bucket)] };
}

/** The expectation is met, or its absence fires. Without `after` the next window follows. */
function judge(trigger: Window, bucket: Bucket, now: number): BucketStep {
  if (now < bucket.ends) return { bucket, firings: [], remarks: [] };
  if (isResting(bucket)) {
    const first = firstBucket(trigger, now, bucket.held);
    return { bucket: first, firings: [], remarks: [] };
  }
  const isMet = bucket.count >= trigger.threshold;
  const isOver = trigger.after.length > 0 || (isMet && trigger.for_each.length > 0);
  const next = opened(Math.max(bucket.ends, now), trigger, bucket.lastEvent);
  return {
    bucket: isOver ? rest(trigger, now, bucket.held) : next,
    firings: isMet ? [] : [bucket.lastEvent],
    // When enough had come was told when they came.
    remarks: isMet ? [] : [say("fired", trigger, bucket)],
  };
}

/**
 * Where an absence is waited for whether or not an event of `after` has come: no window for as long
 * as one lasts, and then the next. Otherwise nothing, or only what is held.
 */
function rest(trigger: Window, now: number, held: EventTimes): Bucket | null {
  if (isWatched(trigger)) return { ...opened(now + micros(trigger), { within: 0 }, null), held };
  const last = held.at(-1);
  if (last === undefined || last + EVENT_TIMES_SPAN <= now) return null;
  return { ...opened(last + EVENT_TIMES_SPAN, { within: 0 }, null), held };
}

/** That it is empty tells it from a window. */
const isResting = ({ starts, ends }: Bucket): boolean => starts === ends;

/** A window that nothing was counted in is worth a word only where something has opened it. */
function endOf(trigger: Window, bucket: Bucket): Remark[] {
  return bucket.count > 0 || trigger.after.length > 0 ? [say("window-ended", trigger, bucket)] : [];
}

/** What is to be said of what has come so far. */
function come(trigger: Window, bucket: Bucket): Remark[] {
  if (bucket.count <= 0) return [];
  return [say(bucket.count >= trigger.threshold ? "expected-came" : "counted", trigger, bucket)];
}

function say(verdict: Verdict, { threshold }: Window, bucket: Bucket | null): Remark {
  if (bucket === null) return remark(verdict, { threshold });
  const { count, starts, ends } = bucket;
  return remark(verdict, { count, threshold, window: { starts, ends } });
}

function opened(
  at: number,
  trigger: Pick<Window, "within">,
  lastEvent: string | null,
  held: EventTimes = [],
): Bucket {
  const window = { starts: at, ends: at + micros(trigger) };
  return { ...window, count: countEventTimesWithin(held, window), lastEvent, held, lastHeld: null };
}

const micros = ({ within }: Pick<Window, "within">): number => Math.round(within * SECOND);
