// Polls that wait for work. Those that ask for the same look at the database together, and only when they were nudged
// or the next scheduled time has come; however many wait, a new run costs a few queries and is given to one of them.

import { type Database, isAppError, type Logger, sleep } from "@orchestrator/kernel";

/** A run that can be had: its id, and what the answer says of it as JSON. */
export interface Offer {
  readonly id: string;
  readonly json: string;
}

/** What a look at the database has shown. */
interface Look {
  /** The most urgent first. */
  readonly offers: readonly Offer[];
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
  /** What is there now or else, as soon as there is something, a share of it; nothing when the time is over. */
  readonly wait: (source: PollSource, wait: Wait) => Promise<readonly Offer[]>;
  /** How many wait. */
  readonly count: () => number;
  /** Answers all that wait, and whoever comes later at once. */
  readonly stop: () => void;
}

/** A nudge that was lost costs no more than this. */
const LOOK_MS = 10_000;
/** After the database could not be asked. */
const RETRY_MS = 1000;
/** A run that was given to one is given to another when it has not been claimed by then. */
const HOLD_MS = 1000;
const MOST_OFFERS = 200;

interface Waiter {
  readonly limit: number;
  readonly give: (offers: readonly Offer[]) => void;
  readonly fail: (error: unknown) => void;
}

export function createWaitingPolls({
  db,
  log,
}: {
  readonly db: Pick<Database, "nudges">;
  readonly log: Logger;
}): WaitingPolls {
  const groups = new Map<string, Group>();
  const hub = { nudges: db.nudges, log, held: new HeldOffers(), isStopped: false };

  const groupOf = (source: PollSource): Group => {
    const group = groups.get(source.key) ?? new Group(source, hub);
    groups.set(source.key, group);
    return group;
  };

  return {
    async wait(source, { limit, seconds, signal }) {
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
  readonly nudges: Database["nudges"];
  readonly log: Logger;
  readonly held: HeldOffers;
  readonly isStopped: boolean;
}

/** Which runs have been given to somebody a moment ago. */
class HeldOffers {
  readonly #until = new Map<string, number>();

  get size(): number {
    return this.#until.size;
  }

  hold({ id }: Offer): void {
    this.#until.delete(id);
    this.#until.set(id, performance.now() + HOLD_MS);
  }

  /** For how long the run is still held, in milliseconds. */
  leftMs({ id }: Offer): number {
    return Math.max(0, (this.#until.get(id) ?? 0) - performance.now());
  }

  /** They were added in the order in which they end. */
  forget(): void {
    const now = performance.now();
    for (const [id, until] of this.#until) {
      if (until > now) return;
      this.#until.delete(id);
    }
  }
}

class Group {
  /** Those who came first are first. */
  readonly waiters = new Set<Waiter>();
  /** How many still need the group, be it that they wait or that they look for themselves. */
  users = 0;
  readonly #source: PollSource;
  readonly #hub: Hub;
  readonly #topics = new Map<string, () => void>();
  #nudges = 0;
  #isDirty = false;
  #isLooking = false;
  #isClosed = false;
  /** Ends the pause before the next look; null while there is none. */
  #rest: AbortController | null = null;

  constructor(source: PollSource, hub: Hub) {
    this.#source = source;
    this.#hub = hub;
  }

  async wait({ limit, seconds, signal }: Wait): Promise<readonly Offer[]> {
    const before = this.#nudges;
    const { offers, topics } = await this.#source.look({ limit, withNext: false });
    const isNew = this.#follow(topics);
    if (offers.length > 0 || limit === 0 || seconds === 0) return offers;
    if (signal.aborted || this.#hub.isStopped) return offers;
    const answer = this.#join({ limit, seconds, signal });
    // What came between the look and the first nudge that could be heard would be missed.
    const isResting = this.#rest !== null;
    if (isNew || this.#nudges !== before || !isResting) this.#wake();
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#rest?.abort();
    for (const leave of this.#topics.values()) leave();
    this.#topics.clear();
  }

  #join({ limit, seconds, signal }: Wait): Promise<readonly Offer[]> {
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

  /** Listens to exactly these, and tells whether one is new. */
  #follow(topics: readonly string[]): boolean {
    const wanted = new Set(topics);
    for (const [topic, leave] of this.#topics) {
      if (wanted.has(topic)) continue;
      leave();
      this.#topics.delete(topic);
    }
    const added = [...wanted].filter((topic) => !this.#topics.has(topic));
    for (const topic of added) {
      const nudged = (): void => {
        this.#nudges += 1;
        this.#wake();
      };
      this.#topics.set(topic, this.#hub.nudges.on(topic, nudged));
    }
    return added.length > 0;
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
        nextMs = await this.#look();
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
  async #look(): Promise<number> {
    this.#hub.held.forget();
    const wanted = [...this.waiters].reduce((sum, { limit }) => sum + limit, this.#hub.held.size);
    const limit = Math.min(MOST_OFFERS, wanted);
    const { offers, topics, nextMs } = await this.#source.look({ limit, withNext: true });
    if (this.#isClosed) return LOOK_MS;
    if (this.#follow(topics)) this.#isDirty = true;
    this.#handOut(offers.filter((offer) => this.#hub.held.leftMs(offer) === 0));
    const again = offers.map((offer) => this.#hub.held.leftMs(offer));
    return Math.max(1, Math.min(LOOK_MS, nextMs ?? LOOK_MS, ...again.filter((ms) => ms > 0)));
  }

  /** Each in turn gets one, until nothing is left or nobody has room. */
  #handOut(offers: readonly Offer[]): void {
    const shares = Array.from(this.waiters, (waiter) => ({ waiter, share: [] as Offer[] }));
    const turns = [...shares];
    for (const offer of offers) {
      const next = turns.shift();
      if (next === undefined) break;
      next.share.push(offer);
      this.#hub.held.hold(offer);
      if (next.share.length < next.waiter.limit) turns.push(next);
    }
    for (const { waiter, share } of shares) if (share.length > 0) waiter.give(share);
  }
}
