// Writes that wait for nothing in between are sent together, in one transaction and one message: one commit makes all of them
// durable. Done so they are what they would be one after the other, as none has looked at anything. Where one of them fails
// nothing of any is left, and each is done again by itself.

import type { PoolClient } from "pg";
import type { WriteStats } from "../database.ts";
import { forgetConfinement } from "./confined-query.ts";
import type { PostgresTransaction } from "./postgres-session.ts";
import { wireOf } from "./prepared-query.ts";

const MOST_TOGETHER = 64;
/** One is made durable while the next is done; more at once would only make them smaller. */
const MOST_UNDER_WAY = 2;

interface Waiting {
  readonly tx: PostgresTransaction;
  readonly resolve: (isCommitted: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedCommits {
  readonly #connect: () => Promise<PoolClient>;
  readonly #stats: WriteStats;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(connect: () => Promise<PoolClient>, stats: WriteStats) {
    this.#connect = connect;
    this.#stats = stats;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Commits what was told; false when it has to be done again by itself, and nothing is left of it. */
  commit(tx: PostgresTransaction): Promise<boolean> {
    tx.close();
    if (tx.isEmpty) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ tx, resolve, reject });
      this.#goOn();
    });
  }

  #goOn(): void {
    while (this.#underWay < MOST_UNDER_WAY && this.#waiting.length > 0) {
      this.#underWay += 1;
      void this.#commitNext().finally(() => {
        this.#underWay -= 1;
        this.#goOn();
      });
    }
  }

  /** Whoever comes until there is a connection goes along. */
  async #commitNext(): Promise<void> {
    let batch: Waiting[] = [];
    try {
      const client = await this.#connect();
      batch = this.#waiting.splice(0, MOST_TOGETHER);
      const isCommitted = await this.#commit(
        client,
        batch.map(({ tx }) => tx),
      );
      for (const { resolve } of batch) resolve(isCommitted);
    } catch (error) {
      if (batch.length === 0) batch = this.#waiting.splice(0, MOST_TOGETHER);
      for (const { reject } of batch) reject(error);
    }
  }

  async #commit(client: PoolClient, batch: readonly PostgresTransaction[]): Promise<boolean> {
    const started = performance.now();
    let broken: Error | undefined;
    try {
      const { command } = await sendTogether(client, batch);
      if (command === "COMMIT") {
        this.#stats.onCommit(batch.length, (performance.now() - started) / 1000);
        return true;
      }
    } catch (error) {
      // Nobody knows whether it was committed.
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
    forgetConfinement(client);
    const [only, ...others] = batch;
    if (others.length > 0) return false;
    throw only?.failure ?? new Error("The server took back a write without saying why");
  }
}

function sendTogether(client: PoolClient, batch: readonly PostgresTransaction[]) {
  const { stream } = wireOf(client);
  stream.cork();
  try {
    const begun = client.query("begin");
    for (const tx of batch) tx.sendOn(client);
    const ended = client.query("commit");
    return Promise.all([ended, begun]).then(([answer]) => answer);
  } finally {
    stream.uncork();
  }
}
