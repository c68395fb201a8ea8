// Quick reads that come while another is under way go along on its connection, and those of one turn of the event loop in one
// message: to wake the other process costs more than most reads do. Nothing is held back; who comes alone is sent at once.

import type pg from "pg";
import { wireOf } from "./prepared-query.ts";

/** They are answered one behind the other, so whoever comes after so many takes another connection. */
const MOST_TOGETHER = 16;

type Read = (client: pg.PoolClient) => Promise<pg.QueryResult>;

export class SharedReads {
  readonly #connect: () => Promise<pg.PoolClient>;
  readonly #shared = new Set<SharedConnection>();

  constructor(connect: () => Promise<pg.PoolClient>) {
    this.#connect = connect;
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
      shared.underWay -= 1;
      if (shared.underWay === 0) {
        this.#shared.delete(shared);
        shared.release(failure);
      }
    }
  }

  #withRoom(): SharedConnection {
    for (const shared of this.#shared) if (shared.underWay < MOST_TOGETHER) return shared;
    const shared = new SharedConnection(this.#connect());
    this.#shared.add(shared);
    return shared;
  }
}

class SharedConnection {
  underWay = 0;
  readonly #connecting: Promise<pg.PoolClient>;
  #client: pg.PoolClient | null = null;
  #isCorked = false;

  constructor(connecting: Promise<pg.PoolClient>) {
    this.#connecting = connecting;
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  async run(read: Read): Promise<pg.QueryResult> {
    this.#client ??= await this.#connecting;
    if (this.underWay > 1) this.#gather(this.#client);
    return read(this.#client);
  }

  release(failure: Error | undefined): void {
    this.#client?.release(failure);
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
