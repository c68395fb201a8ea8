import { poolTopic, queueTopic } from "../../polling/work-topics.rules.ts";

/** A queue and what of its pool matters to whoever polls it. */
export interface PolledQueue {
  readonly pool_id: string;
  readonly pool_is_paused: boolean;
  readonly pool_limit: number | null;
  readonly id: string;
  readonly name: string;
  readonly is_paused: boolean;
  readonly concurrency_limit: number | null;
  readonly status: string;
}

export const isOpen = (queue: PolledQueue): boolean => !queue.is_paused && !queue.pool_is_paused;

/** What a poll leaves behind. */
export interface Polled {
  /** The queues that were asked for. */
  readonly ids: readonly string[];
  /** One of them is not ready yet; whoever polls it makes it so. */
  readonly isUnserved: boolean;
}

export function polledOf(
  queues: readonly { readonly id: string; readonly status: string }[],
): Polled {
  return {
    ids: queues.map(({ id }) => id),
    isUnserved: queues.some(({ status }) => status === "NOT_READY"),
  };
}

export const firstOf = (times: readonly string[]): string | null => times.toSorted()[0] ?? null;

/** Of the pool and all its queues; none where there is no such pool. */
export function topicsOf(queues: readonly PolledQueue[]): readonly string[] {
  const pool = queues.slice(0, 1).map(({ pool_id }) => poolTopic(pool_id));
  return [...pool, ...queues.map(({ id }) => queueTopic(id))];
}

export interface PeekedQueue extends PolledQueue {
  /**
   * The first time, of those that are asked for, for which a run is scheduled there, whether it can
   * be claimed or not.
   */
  readonly first: string | null;
}

/**
 * What there is to see of all queues of a pool. It mostly stays the same from one poll to the next,
 * and is then not made again.
 */
export interface QueuesPeek {
  readonly queues: readonly PeekedQueue[];
  readonly topics: readonly string[];
  /** For those who ask for the whole pool. */
  readonly ofAll: Glimpse;
}

/** What there is to see of some queues. */
export interface Glimpse extends Polled {
  /** From when on there is work in them. */
  readonly next: string | null;
}

export function peekAt(queues: readonly PeekedQueue[]): QueuesPeek {
  return { queues, topics: topicsOf(queues), ofAll: glimpseOf(queues) };
}

export function glimpseOf(queues: readonly PeekedQueue[]): Glimpse {
  const next = firstOf(queues.filter(isOpen).flatMap(({ first }) => first ?? []));
  return { next, ...polledOf(queues) };
}
