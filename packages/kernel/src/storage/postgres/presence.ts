// Whether other processes work with this database. Each holds a share of one lock for as long as it
// listens for nudges; who gets all of it is alone, and hears of every change, as all are its own.
// Who comes calls out and waits for a share, which it gets when the one that was alone has heard
// it: from then on nobody is.

import type pg from "pg";
import { sleep } from "../../clock/clock.ts";

export const PRESENCE_LOCK = 7_303_014_201;
const SHARE = `select pg_try_advisory_lock_shared(${PRESENCE_LOCK}) as taken`;
const TAKE_ALL = `select pg_try_advisory_lock(${PRESENCE_LOCK}) as taken`;
const GIVE_BACK = `select pg_advisory_unlock(${PRESENCE_LOCK})`;
const STILL_THERE = "select 1";
/** A connection that says nothing for so long is lost. */
const SILENCE_MS = 3000;
/**
 * So long it waits before it calls again, then twice as long. A session that waited for the lock
 * itself would hear no nudges.
 */
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 5000;
/**
 * Others that go do not say so, and connections can be lost without a word. Only somebody who wants
 * to know finds out.
 */
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
  #hasJoined = false;
  #looking: Promise<void> | null = null;
  /** Not before it takes part. */
  #looksAgainAt = Number.POSITIVE_INFINITY;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Takes part, as soon as whoever was alone knows that it no longer is. */
  async join(signal: AbortSignal): Promise<void> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      await this.#options.callOthers();
      if (await this.#takes(SHARE)) break;
      await sleep(waitMs, signal);
      if (signal.aborted) return;
    }
    this.#hasJoined = true;
    await this.#look();
  }

  /**
   * Whether no other process works with the database. Where it is not known yet, it will be when
   * asked again.
   */
  isAlone(): boolean {
    if (performance.now() >= this.#looksAgainAt) {
      this.#looksAgainAt = Number.POSITIVE_INFINITY;
      // The connection is lost then, and this with it.
      (this.#isAlone ? this.#checkConnection() : this.#look()).catch(() => {});
    }
    return this.#isAlone;
  }

  /**
   * Asks the database: true while this server holds its lock and no other server does. The locks
   * of killed servers end with their connections.
   */
  async confirmAlone(): Promise<boolean> {
    if (!this.#hasJoined) return false;
    await (this.#isAlone ? this.#checkConnection() : this.#look());
    return this.#isAlone;
  }

  async heardCall(): Promise<void> {
    this.#calls += 1;
    if (!this.#isAlone) return;
    this.#isAlone = false;
    await this.#giveBack();
  }

  /** One at a time: a session that takes the lock twice has to give it back twice. */
  #look(): Promise<void> {
    this.#looking ??= this.#takeAll().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #takeAll(): Promise<void> {
    const calls = this.#calls;
    const isTaken = await this.#takes(TAKE_ALL);
    if (isTaken && this.#calls !== calls) {
      await this.#giveBack();
      return;
    }
    this.#looksAgainAt = performance.now() + LOOK_AGAIN_MS;
    if (!isTaken) return;
    this.#options.onAlone();
    this.#isAlone = true;
  }

  async #giveBack(): Promise<void> {
    await this.#ask(GIVE_BACK);
    this.#looksAgainAt = performance.now() + LOOK_AGAIN_MS;
  }

  async #checkConnection(): Promise<void> {
    await this.#ask(STILL_THERE);
    this.#looksAgainAt = performance.now() + LOOK_AGAIN_MS;
  }

  async #takes(text: string): Promise<boolean> {
    const { rows } = await this.#ask(text);
    return rows[0]?.taken === true;
  }

  #ask(text: string): Promise<pg.QueryResult> {
    const query = { text, query_timeout: SILENCE_MS };
    return this.#options.session.query(query);
  }
}
