// When a monitor is due. Its times lie on a grid of its own: multiples of the interval, shifted by
// a phase that is a hash of its id. So the load is spread and stays so across restarts, nothing
// drifts, and what was missed is not made up for.

import { occurrences } from "@orchestrator/calendar";

export interface Timing {
  readonly id: string;
  /** Seconds. */
  readonly interval: number;
  /** A cron expression, which then stands for the interval. */
  readonly schedule: string | null;
  readonly timezone: string;
}

const SECOND_MICROS = 1_000_000;
const MINUTE_MICROS = 60 * SECOND_MICROS;
const DAY_MICROS = 86_400 * SECOND_MICROS;
const HASH_RANGE = 2 ** 32;

/** A share of 1 that depends on the id alone. */
export function phaseOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1)
    hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  // The ids of one moment differ in few characters; this spreads their hashes.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / HASH_RANGE;
}

/** The first time after `after`; null when there is none any more. */
export function nextDue(timing: Timing, after: number): number | null {
  return timing.schedule === null ? gridAfter(timing, after) : cronAfter(timing, after);
}

function gridAfter({ id, interval }: Timing, after: number): number {
  const every = interval * SECOND_MICROS;
  const phase = Math.floor(phaseOf(id) * every);
  return (Math.floor((after - phase) / every) + 1) * every + phase;
}

function cronAfter({ schedule, timezone }: Timing, after: number): number | null {
  const cron = schedule ?? "";
  const [next] = occurrences(
    { kind: "cron", cron, timezone, seconds: "first" },
    { from: after + 1, limit: 1 },
  );
  return next ?? null;
}

interface Past {
  readonly now: number;
  /** When it was last checked. */
  readonly lastCheck: number | null;
  readonly createdAt: number;
}

/**
 * Whether one of its times has passed unused, or it was never checked. A schedule is waited for.
 */
export function isOverdue(timing: Timing, { now, lastCheck, createdAt }: Past): boolean {
  if (lastCheck === null && timing.schedule === null) return true;
  const missed = nextDue(timing, lastCheck ?? createdAt);
  return missed !== null && missed <= now;
}

/**
 * How long a status that was seen then may be taken to hold when no other result comes: until the
 * next one is overdue, which is none that falls in a time in which the target is left alone.
 */
export function validUntil(timing: Timing, at: number, leftAloneUntil = at): number {
  const due = nextDue(timing, leftAloneUntil) ?? leftAloneUntil;
  const next = nextDue(timing, due) ?? due;
  return Math.min(Math.max(next, leftAloneUntil + 2 * MINUTE_MICROS), at + LONGEST_VALID_MICROS);
}

const LONGEST_VALID_MICROS = 62 * DAY_MICROS;

const LONGEST_BACK_OFF_MICROS = 15 * MINUTE_MICROS;
const BACK_OFF_FACTOR = 5;

/**
 * Until when a target that refused the credentials is left alone: further attempts could lock the
 * account.
 */
export function backOffUntil(timing: Timing, at: number): number {
  const regular = (nextDue(timing, at) ?? at) - at;
  const every = timing.schedule === null ? timing.interval * SECOND_MICROS : regular;
  return at + Math.max(regular, Math.min(BACK_OFF_FACTOR * every, LONGEST_BACK_OFF_MICROS));
}
