// Whether other processes work with this database. Each holds a share of one lock for as long as it listens for nudges; who gets
// all of it is alone, and hears of every change, as all are its own. Who comes calls out and waits for a share, which it gets
// when the one that was alone has heard it: from then on nobody is.

import pg from "pg";

export const PRESENCE_LOCK = 7_303_014_201;
const SHARE = `select pg_advisory_lock_shared(${PRESENCE_LOCK})`;
const TAKE_ALL = `select pg_try_advisory_lock(${PRESENCE_LOCK}) as taken`;
const GIVE_BACK = `select pg_advisory_unlock(${PRESENCE_LOCK})`;
const WAIT_FOR = "select set_config('lock_timeout', $1, false)";
/** So long a share is waited for before calling again, then twice as long: a call can come just before somebody finds itself alone. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 20_000;
const LOCK_NOT_AVAILABLE = "55P03";
/** Others that go do not say so. Only somebody who wants to know whether they are gone finds out. */
const LOOK_AGAIN_MS = 5000;

export interface PresenceOptions {
  /** The connection that hears calls; the lock goes with it. */
  readonly session: pg.Client;
  /** Makes `heardCall` of all others be called. */
  readonly callOthers: () => Promise<unknown>;
  /** What another did last may not have been told. */
  readonly onAlone: () => void;
}

export class Presence {
  readonly #options: PresenceOptions;
  #isAlone = false;
  #calls = 0;
  /** Not before it takes part. */
  #looksAgainAt = Number.POSITIVE_INFINITY;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Takes part, as soon as whoever was alone knows that it no longer is. */
  async join(): Promise<void> {
    const { session, callOthers } = this.#options;
    let waitMs = FIRST_WAIT_MS;
    do {
      await session.query(WAIT_FOR, [String(waitMs)]);
      await callOthers();
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    } while (!(await hasShare(session)));
    await this.#look();
  }

  /** Whether no other process works with the database. Where it is not known yet, it will be when asked again. */
  isAlone(): boolean {
    if (!this.#isAlone && performance.now() >= this.#looksAgainAt) {
      this.#looksAgainAt = Number.POSITIVE_INFINITY;
      // The connection is lost then, and this with it.
      this.#look().catch(() => {});
    }
    return this.#isAlone;
  }

  async heardCall(): Promise<void> {
    this.#calls += 1;
    if (!this.#isAlone) return;
    this.#isAlone = false;
    await this.#giveBack();
  }

  async #look(): Promise<void> {
    const calls = this.#calls;
    const { rows } = await this.#options.session.query(TAKE_ALL);
    if (rows[0]?.taken !== true) this.#looksAgainAt = performance.now() + LOOK_AGAIN_MS;
    else if (this.#calls === calls) {
      this.#options.onAlone();
      this.#isAlone = true;
    } else await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    await this.#options.session.query(GIVE_BACK);
    this.#looksAgainAt = performance.now() + LOOK_AGAIN_MS;
  }
}

async function hasShare(session: pg.Client): Promise<boolean> {
  try {
    await session.query(SHARE);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
