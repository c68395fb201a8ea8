// Quick reads that come while another is under way go along on its connection, and those of one
// turn of the event loop in one message: to wake the other process costs more than most reads do.
// Nothing is held back; who comes alone is sent at once.

import type pg from "pg";
import { isStatementError } from "./postgres-errors.ts";
import { wireOf } from "./prepared-query.ts";

/**
 * They are answered one behind the other, so whoever comes after so many takes another connection.
 */
const MOST_TOGETHER = 16;
/** Where nothing was answered for so long, somebody asked for more than a quick read. */
const SLOW_MS = 5;

type Read = (client: pg.PoolClient) => Promise<pg.QueryResult>;

export interface SharedReadsOptions {
  readonly connect: () => Promise<pg.PoolClient>;
  /**
   * Whether somebody waits for a connection: one that is shared again and again is never given
   * back.
   */
  readonly isAwaited: () => boolean;
}

export class SharedReads {
  readonly #options: SharedReadsOptions;
  readonly #shared = new Set<SharedConnection>();

  constructor(options: SharedReadsOptions) {
    this.#options = options;
  }

  /** How many have no connection yet. */
  get waiting(): number {
    let waiting = 0;
    for (const shared of this.#shared) if (!shared.isConnected) waiting += shared.underWay;
    return waiting;
  }

  async run(read: Read): Promise<pg.QueryResult> {
    const shared = this.#withRoom();
    shared.underWay += 1;
    let failure: Error | undefined;
    try {
      return await shared.run(read);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      shared.answered(failure);
      if (shared.underWay === 0) {
        this.#shared.delete(shared);
        shared.release(failure);
      }
    }
  }

  #withRoom(): SharedConnection {
    const { connect, isAwaited } = this.#options;
    for (const shared of this.#shared) if (shared.mayBeJoined(isAwaited)) return shared;
    const shared = new SharedConnection(connect());
    this.#shared.add(shared);
    return shared;
  }
}

class SharedConnection {
  underWay = 0;
  readonly #connecting: Promise<pg.PoolClient>;
  #client: pg.PoolClient | null = null;
  #lastAnswer = 0;
  #isLost = false;
  #isCorked = false;

  constructor(connecting: Promise<pg.PoolClient>) {
    this.#connecting = connecting;
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  mayBeJoined(isAwaited: () => boolean): boolean {
    if (this.underWay >= MOST_TOGETHER || this.#isLost) return false;
    return !this.isConnected || (performance.now() - this.#lastAnswer < SLOW_MS && !isAwaited());
  }

  run(read: Read): Promise<pg.QueryResult> {
    const send = (client: pg.PoolClient): Promise<pg.QueryResult> => {
      if (this.underWay > 1) this.#gather(client);
      return read(client);
    };
    return this.#client === null ? this.#connected().then(send) : send(this.#client);
  }

  answered(failure: Error | undefined): void {
    this.underWay -= 1;
    this.#lastAnswer = performance.now();
    if (failure !== undefined && !isStatementError(failure)) this.#isLost = true;
  }

  release(failure: Error | undefined): void {
    this.#client?.release(failure);
  }

  async #connected(): Promise<pg.PoolClient> {
    const client = await this.#connecting;
    if (this.#client === null) this.#lastAnswer = performance.now();
    this.#client = client;
    return client;
  }

  /** Sends what comes in this turn when it ends. */
  #gather(client: pg.PoolClient): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = wireOf(client);
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}
