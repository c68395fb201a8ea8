// Polls that wait for work. Those that ask for the same look at the database together, and only
// when they were nudged or the next scheduled time has come; however many wait, a new run costs a
// few queries and is given to one of them.

import type { Logger } from "@orchestrator/kernel/log";
import { isAppError, sleep } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import { type DispatchedRun, DispatchedRuns } from "./dispatched-runs.ts";
import { FollowedTopics } from "./followed-topics.ts";

/** What a look at the database has shown. */
interface Look {
  /** The most urgent first. */
  readonly offers: readonly DispatchedRun[];
  /** What is nudged when there may be more. */
  readonly topics: readonly string[];
  /** In how many milliseconds the next run becomes due by itself; null when none is known. */
  readonly nextMs: number | null;
}

/** What is waited for. Polls with the same key wait for the same. */
export interface PollSource {
  readonly key: string;
  readonly look: (request: { readonly limit: number; readonly withNext: boolean }) => Promise<Look>;
}

interface Wait {
  readonly limit: number;
  readonly seconds: number;
  /** Fires when nobody is there any more to take the answer. */
  readonly signal: AbortSignal;
}

export interface WaitingPolls {
  /**
   * What is there now or else, as soon as there is something, a share of it; nothing when the time
   * is over. What one who waits has been given is not given to the next one at once; who does not
   * wait sees all of it.
   */
  readonly wait: (source: PollSource, wait: Wait) => Promise<readonly DispatchedRun[]>;
  /** How many wait. */
  readonly count: () => number;
  /** Answers all that wait, and whoever comes later at once. */
  readonly stop: () => void;
}

/** A nudge that was lost costs no more than this. */
const LOOK_MS = 10_000;
/** After the database could not be asked. */
const RETRY_MS = 1000;
const MOST_OFFERS = 200;

interface Waiter {
  readonly limit: number;
  readonly give: (offers: readonly DispatchedRun[]) => void;
  readonly fail: (error: unknown) => void;
}

export function createWaitingPolls({
  db,
  log,
}: {
  readonly db: Pick<Database, "wakeUps">;
  readonly log: Logger;
}): WaitingPolls {
  const groups = new Map<string, Group>();
  const hub = { nudges: db.wakeUps, log, held: new DispatchedRuns(), isStopped: false };

  const groupOf = (source: PollSource): Group => {
    const group = groups.get(source.key) ?? new Group(source, hub);
    groups.set(source.key, group);
    return group;
  };

  return {
    async wait(source, { limit, seconds, signal }) {
      if (limit === 0 || seconds === 0)
        return (await source.look({ limit, withNext: false })).offers;
      const group = groupOf(source);
      group.users += 1;
      try {
        return await group.wait({ limit, seconds, signal });
      } finally {
        group.users -= 1;
        if (group.users === 0) {
          group.close();
          groups.delete(source.key);
        }
      }
    },
    count: () => [...groups.values()].reduce((sum, { waiters }) => sum + waiters.size, 0),
    stop() {
      hub.isStopped = true;
      for (const { waiters } of groups.values()) for (const { give } of waiters) give([]);
    },
  };
}

/** What all groups share. */
interface Hub {
  readonly nudges: Database["wakeUps"];
  readonly log: Logger;
  readonly held: DispatchedRuns;
  readonly isStopped: boolean;
}

class Group {
  /** Those who came first are first. */
  readonly waiters = new Set<Waiter>();
  /** How many still need the group, be it that they wait or that they look for themselves. */
  users = 0;
  readonly #source: PollSource;
  readonly #hub: Hub;
  readonly #topics: FollowedTopics;
  #nudges = 0;
  #isDirty = false;
  #isLooking = false;
  #isClosed = false;
  /** Ends the pause before the next look; null while there is none. */
  #rest: AbortController | null = null;

  constructor(source: PollSource, hub: Hub) {
    this.#source = source;
    this.#hub = hub;
    this.#topics = new FollowedTopics(hub.nudges, () => {
      this.#nudges += 1;
      this.#wake();
    });
  }

  async wait({ limit, seconds, signal }: Wait): Promise<readonly DispatchedRun[]> {
    const before = this.#nudges;
    const seen = await this.#look({ limit, enough: 1, withNext: false });
    const isNew = this.#topics.follow(seen.topics);
    const offers = this.#hub.held.free(seen.offers).slice(0, limit);
    this.#hub.held.hold(offers);
    if (offers.length > 0 || signal.aborted || this.#hub.isStopped) return offers;
    const answer = this.#join({ limit, seconds, signal });
    // What came between the look and the first nudge that could be heard would be missed, and
    // nothing tells when what others have been given is free again.
    const isResting = this.#rest !== null;
    if (isNew || this.#nudges !== before || !isResting || seen.offers.length > 0) this.#wake();
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#rest?.abort();
    this.#topics.leaveAll();
  }

  #join({ limit, seconds, signal }: Wait): Promise<readonly DispatchedRun[]> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiters.delete(waiter);
        left.abort();
        signal.removeEventListener("abort", end);
      };
      const end = (): void => waiter.give([]);
      const left = new AbortController();
      void sleep(seconds * 1000, left.signal).then(() => {
        if (!left.signal.aborted) end();
      });
      signal.addEventListener("abort", end, { once: true });
      const waiter: Waiter = {
        limit,
        give: (offers) => {
          leave();
          resolve(offers);
        },
        fail: (error) => {
          leave();
          reject(error as Error);
        },
      };
      this.waiters.add(waiter);
    });
  }

  #wake(): void {
    this.#isDirty = true;
    if (!this.#isLooking) void this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    this.#isLooking = true;
    this.#rest?.abort();
    this.#rest = null;
    let nextMs = LOOK_MS;
    try {
      while (this.#isDirty && this.waiters.size > 0) {
        this.#isDirty = false;
        nextMs = await this.#lookForAll();
      }
    } catch (error) {
      nextMs = RETRY_MS;
      if (isAppError(error, "not_found")) for (const { fail } of this.waiters) fail(error);
      else this.#hub.log.warn({ err: error }, "Work that is waited for could not be looked for");
    }
    this.#isLooking = false;
    if (this.waiters.size > 0) void this.#pause(nextMs);
  }

  async #pause(ms: number): Promise<void> {
    const rest = new AbortController();
    this.#rest = rest;
    await sleep(ms, rest.signal);
    if (rest.signal.aborted) return;
    this.#rest = null;
    this.#wake();
  }

  /** Hands out what there is, and tells when to look again. */
  async #lookForAll(): Promise<number> {
    const wanted = [...this.waiters].reduce((sum, { limit }) => sum + limit, 0);
    const limit = Math.min(MOST_OFFERS, wanted);
    const seen = await this.#look({ limit, enough: this.waiters.size, withNext: true });
    if (this.#isClosed) return LOOK_MS;
    if (this.#topics.follow(seen.topics)) this.#isDirty = true;
    this.#handOut(this.#hub.held.free(seen.offers));
    const heldMs = this.#hub.held.leftMs(seen.offers);
    return Math.max(1, Math.min(LOOK_MS, seen.nextMs ?? LOOK_MS, heldMs ?? LOOK_MS));
  }

  /**
   * Looks further where enough cannot be had because of what others have been given a moment ago: a
   * run that is being claimed stands before those that wait behind it.
   */
  async #look(request: {
    readonly limit: number;
    readonly enough: number;
    readonly withNext: boolean;
  }): Promise<Look> {
    let { limit } = request;
    for (;;) {
      const seen = await this.#source.look({ limit, withNext: request.withNext });
      const isAll = seen.offers.length < limit || limit >= MOST_OFFERS;
      if (isAll || this.#hub.held.free(seen.offers).length >= request.enough) return seen;
      limit = Math.min(MOST_OFFERS, limit * 4);
    }
  }

  /** Each in turn gets one, until nothing is left or nobody has room. */
  #handOut(offers: readonly DispatchedRun[]): void {
    const shares = Array.from(this.waiters, (waiter) => ({ waiter, share: [] as DispatchedRun[] }));
    const turns = [...shares];
    for (const offer of offers) {
      const next = turns.shift();
      if (next === undefined) break;
      next.share.push(offer);
      if (next.share.length < next.waiter.limit) turns.push(next);
    }
    for (const { waiter, share } of shares) {
      this.#hub.held.hold(share);
      if (share.length > 0) waiter.give(share);
    }
  }
}
