import { type Clock, sleep } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Logger } from "../log/logger.ts";
import type { Database } from "../storage/database.ts";
import { EVENTS_TOPIC } from "./append.ts";
import { findPosition } from "./find-position.ts";
import { followLog, type LoggedEvent } from "./read.ts";

/** Somebody who wants the events as they come. */
export interface Following {
  /** The position behind which to begin; null for whatever comes from now on. */
  readonly after: number | null;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Gets what lies before the present; the next of it is read when this is done. */
  readonly deliver: (events: readonly LoggedEvent[]) => Promise<void>;
  /** Gets what comes afterwards. Between them every event comes once, in order. */
  readonly push: (events: readonly LoggedEvent[]) => void;
}

/** One reader of the log for any number of followers, however they come and go. */
export interface LogFeed {
  /** Resolves when the following has ended. */
  readonly follow: (following: Following) => Promise<void>;
  /** Lets go of all followers. */
  readonly stop: () => Promise<void>;
}

const BACKLOG_PAGE = 250;
const LIVE_PAGE = 500;
/** A nudge can be lost, and nobody nudges when a position turns out to be gone. */
const LOOK_MS = 1000;
const RETRY_MS = 20;
/** A reason of its own: without one, every nudge would make an exception with its stack. */
const NUDGED = "nudged";

/** Longer than any write is under way. */
const UNSETTLED_MICROS = 60 * 1_000_000;

interface Member extends Following {
  /** Has been given everything up to here. */
  readonly joinedAt: number;
}

export function createLogFeed(
  db: Database,
  { clock, log }: { clock: Clock; log: Logger },
): LogFeed {
  const members = new Set<Member>();
  const stopped = new AbortController();
  /** Everything up to here was given to the members. Means something only while there are any. */
  let position = 0;
  let running: Promise<void> | null = null;
  let wake = new AbortController();

  const give = (events: readonly LoggedEvent[]): void => {
    for (const member of members) {
      const fresh = events.filter((event) => event.position > member.joinedAt);
      if (fresh.length > 0) member.push(fresh);
    }
  };

  const run = async (): Promise<void> => {
    const follower = followLog(db);
    const off = db.wakeUps.on(EVENTS_TOPIC, () => wake.abort(NUDGED));
    try {
      while (members.size > 0 && !stopped.signal.aborted) {
        wake = new AbortController();
        let count = 0;
        try {
          const events = await follower.next(position, LIVE_PAGE);
          count = events.length;
          position = events.at(-1)?.position ?? position;
          give(events);
        } catch (error) {
          log.warn({ err: error }, "The event log could not be read; trying again");
        }
        if (count < LIVE_PAGE) await sleep(LOOK_MS, wake.signal);
      }
    } finally {
      off();
      running = null;
    }
  };

  const join = (member: Member): void => {
    if (running === null) position = member.joinedAt;
    members.add(member);
    running ??= run();
  };

  /**
   * Reads what lies before the present with a reader of its own, until it has caught up with the
   * others. It joins them in the very moment in which it finds that it has: a moment later they may
   * have been given more.
   */
  const catchUpAndJoin = async (following: Following): Promise<Member | null> => {
    const { after, signal, deliver } = following;
    const follower = followLog(db);
    let at =
      after ??
      (running === null
        ? await findPosition(db, formatMicros(clock.nowMicros() - UNSETTLED_MICROS))
        : position);
    while (!signal.aborted) {
      const events = await follower.next(at, BACKLOG_PAGE);
      if (signal.aborted) return null;
      const last = events.at(-1);
      if (last !== undefined) {
        if (after !== null) await deliver(events);
        at = last.position;
      } else if (running === null || at >= position) {
        const member = { ...following, joinedAt: at };
        join(member);
        return member;
      } else await sleep(RETRY_MS, signal);
    }
    return null;
  };

  return {
    async follow(following) {
      const signal = AbortSignal.any([following.signal, stopped.signal]);
      const member = await catchUpAndJoin({ ...following, signal });
      if (member === null) return;
      if (!signal.aborted)
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      members.delete(member);
    },
    async stop() {
      stopped.abort();
      wake.abort(NUDGED);
      await running;
    },
  };
}
