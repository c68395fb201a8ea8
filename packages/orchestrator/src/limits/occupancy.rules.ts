import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";

const SECOND = 1_000_000;

/** Names of limits on the task runs with a tag, and of limits on the runs of a deployment. */
export const TAG_PREFIX = "tag:";
export const tagLimitName = (tag: string): string => `${TAG_PREFIX}${tag}`;
const DEPLOYMENT_PREFIX = "deployment:";
export const deploymentLimitName = (deploymentId: string): string =>
  `${DEPLOYMENT_PREFIX}${deploymentId}`;
export const isTagLimit = ({ name }: ConcurrencyLimitRow): boolean => name.startsWith(TAG_PREFIX);

const MIN_OCCUPANCY_SECONDS = 0.1;
const MAX_WAIT_SECONDS = 30;
const MAX_TAG_WAIT_SECONDS = 10;
const MAX_RATE_WAIT_SECONDS = 86_400;
const MIN_WAIT_SECONDS = 0.001;

/** Slots that go away with time: so many at a moment. */
interface Decaying {
  readonly slots: number;
  readonly since: string;
}

/**
 * What is left at `now`. Slots go away whole; the part of a second that the next one has already
 * waited is kept in `since`, so that a limit which is asked often decays no slower than one which
 * is not.
 */
export function decayedAt(now: string, { slots, since }: Decaying, perSecond: number): Decaying {
  const elapsedMicros = Math.max(0, parseMicros(now) - parseMicros(since));
  const gone = Math.floor((elapsedMicros * perSecond) / SECOND);
  if (gone >= slots) return { slots: 0, since: now };
  if (gone === 0) return { slots, since };
  const spentMicros = Math.min(elapsedMicros, Math.ceil((gone * SECOND) / perSecond));
  return { slots: slots - gone, since: formatMicros(parseMicros(since) + spentMicros) };
}

export const secondsBetween = (from: string, to: string): number =>
  Math.max(0, parseMicros(to) - parseMicros(from)) / SECOND;

export const secondsAfter = (moment: string, seconds: number): string =>
  formatMicros(parseMicros(moment) + Math.round(seconds * SECOND));

export const decays = ({ slot_decay_per_second }: ConcurrencyLimitRow): boolean =>
  slot_decay_per_second > 0;

/** What of a limit that decays is in use. */
export function decayingSlots(limit: ConcurrencyLimitRow, now: string): Decaying {
  const { decaying_slots: slots, decaying_since: since, slot_decay_per_second } = limit;
  return decayedAt(now, { slots, since }, slot_decay_per_second);
}

/**
 * How many slots were asked for in vain lately; those who asked are expected to give up or get
 * through in time.
 */
export function deniedSlots(limit: ConcurrencyLimitRow, now: string): Decaying {
  const { denied_slots: slots, denied_since: since } = limit;
  const perSecond = decays(limit) ? limit.slot_decay_per_second : 1 / occupancySeconds(limit);
  return decayedAt(now, { slots, since }, perSecond);
}

const maxWaitSeconds = ({ name }: ConcurrencyLimitRow): number =>
  name.startsWith(TAG_PREFIX) ? MAX_TAG_WAIT_SECONDS : MAX_WAIT_SECONDS;

/** How long a slot is usually held, within what a wait is made of. */
function occupancySeconds(limit: ConcurrencyLimitRow): number {
  const average = Math.max(MIN_OCCUPANCY_SECONDS, limit.avg_slot_occupancy_seconds);
  return Math.min(average, maxWaitSeconds(limit));
}

/**
 * The average after slots were held for so long: the more slots there are, the less one of them
 * says.
 */
export function averageOccupancy(
  { slot_limit, avg_slot_occupancy_seconds: average }: ConcurrencyLimitRow,
  { slots, heldSeconds }: { readonly slots: number; readonly heldSeconds: number },
): number {
  return average + (heldSeconds / slots - average) / (2 * Math.max(1, slot_limit));
}

/**
 * What a limit that decays has in use after a lease on it has ended. Of the lease's slots those
 * come back that cannot have decayed since it was taken; to give back more would let others exceed
 * the rate.
 */
export function decayingAfterLease(
  limit: ConcurrencyLimitRow,
  { slots, heldSeconds, now }: { slots: number; heldSeconds: number; now: string },
): Decaying {
  const left = decayingSlots(limit, now);
  const back = Math.max(0, slots - Math.floor(heldSeconds * limit.slot_decay_per_second));
  return { ...left, slots: Math.max(0, left.slots - back) };
}

/** A limit that has no room for what was asked, with what was asked for in vain before. */
export interface FullLimit {
  readonly limit: ConcurrencyLimitRow;
  readonly denied: number;
}

const LEAST_JITTER = 0.75;
const JITTER_SPAN = 0.55;

/**
 * When to ask again: the longer the queue before a limit and the longer its slots are held, the
 * later. `random`, from 0 to 1, spreads those who wait for the same slot.
 */
export function retryAfterSeconds(
  full: readonly FullLimit[],
  { slots, random }: { readonly slots: number; readonly random: number },
): number {
  const averages = full.map(({ limit, denied }) => {
    const wanted = slots + denied;
    if (decays(limit)) {
      const average = Math.min(wanted / limit.slot_decay_per_second, MAX_RATE_WAIT_SECONDS);
      return { weight: wanted, average };
    }
    const weight = wanted / Math.max(1, limit.slot_limit);
    const average = Math.min(occupancySeconds(limit) * weight, maxWaitSeconds(limit));
    return { weight, average };
  });
  const blocking = averages.reduce((most, each) => (each.weight > most.weight ? each : most));
  const seconds = blocking.average * (LEAST_JITTER + JITTER_SPAN * random);
  return Math.max(MIN_WAIT_SECONDS, Math.round(seconds * 1000) / 1000);
}

/** A number from 0 to 1 out of a random id. */
export const fractionOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8), 16) / 2 ** 32;
