// Fixed window: an automation fires only so often within a minute. Matches beyond that are counted
// and make nothing happen; with the next minute it fires again by itself.

import { formatMicros } from "@orchestrator/kernel/pure";
import type { UsedUp } from "@orchestrator/kernel/scope";

/** What keeps an automation from firing. */
export interface FiringLimit {
  readonly reason: string;
  /** Which limit, and what to do, in one or two sentences. */
  readonly message: string;
  /** When it fires again, in microseconds; null where that is not known. */
  readonly until: number | null;
}

/** The matches that a limit has kept from firing, from the first on. */
export interface PassedOver extends FiringLimit {
  readonly since: number;
  readonly matches: number;
}

export interface Throttle {
  /** When its present minute began, in microseconds. */
  readonly minute: number;
  readonly firings: number;
  readonly passedOver: PassedOver | null;
}

const MINUTE = 60_000_000;
const DAY = 86_400_000_000;
export const FIRINGS_PER_MINUTE = "firings_per_minute";

/** Clocks of replicas may differ by seconds; one that was a minute ahead says nothing about now. */
const isOver = ({ minute }: Throttle, now: number): boolean => Math.abs(now - minute) >= MINUTE;

/** The minute as it is now; without a firing there is none. */
export function throttleAt(known: Throttle | null, now: number): Throttle {
  if (known === null) return { minute: now, firings: 0, passedOver: null };
  return isOver(known, now) ? { ...known, minute: now, firings: 0 } : known;
}

/** Null where it may fire. */
export function limitOfFirings({ minute, firings }: Throttle, most: number): FiringLimit | null {
  if (firings < most) return null;
  const until = minute + MINUTE;
  const again = formatMicros(until).slice(11, 19);
  const message = `An automation fires at most ${most} times a minute (ORCHESTRATOR_AUTOMATIONS_FIRINGS_PER_MINUTE); this one fires again from ${again} UTC on.`;
  return { reason: FIRINGS_PER_MINUTE, message, until };
}

export const limitOfQuota = ({ quota, words }: UsedUp): FiringLimit => ({
  reason: quota,
  message: words,
  until: null,
});

export function withFiring({ minute, firings, passedOver }: Throttle, now: number): Throttle {
  const isBack = passedOver !== null && passedOver.until === null;
  return {
    minute,
    firings: firings + 1,
    passedOver: isBack ? { ...passedOver, until: now } : passedOver,
  };
}

/** Adds to what was passed over before, unless that has come to an end. */
export function withPassedOver(
  throttle: Throttle,
  { now, limit }: { readonly now: number; readonly limit: FiringLimit },
): Throttle & { readonly passedOver: PassedOver } {
  const { passedOver: before } = throttle;
  const isNew = before === null || !goesOn(before, limit, now);
  const { since, matches } = isNew ? { since: now, matches: 0 } : before;
  return { ...throttle, passedOver: { ...limit, since, matches: matches + 1 } };
}

/**
 * A limit that is reached again in the minute in which it was to fire again has not come to an end;
 * quotas are spoken of by the day.
 */
function goesOn({ reason, since, until }: PassedOver, limit: FiringLimit, now: number): boolean {
  if (reason !== limit.reason) return false;
  return until === null ? dayOf(since) === dayOf(now) : now < until + MINUTE;
}

const dayOf = (micros: number): number => Math.floor(micros / DAY);
