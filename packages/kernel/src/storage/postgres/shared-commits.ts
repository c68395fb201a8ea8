// Writes that wait for nothing in between are sent together, in one transaction and one message:
// one commit makes all of them durable. Done so they are what they would be one after the other, as
// none has looked at anything but rows that it confirms before it changes any. Where one of them
// fails nothing of any is left: that one is done again by itself, and the others together.

import type { PoolClient } from "pg";
import type { WriteStats } from "../database.ts";
import { forgetConfinement } from "./confined-query.ts";
import { isLockTimeout, isStatementError } from "./postgres-errors.ts";
import type { PostgresTransaction } from "./postgres-transaction.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { QueryBundle } from "./query-bundle.ts";

const MOST_TOGETHER = 64;
/**
 * Whoever comes while one is under way goes with the next, which is the larger for it; but one that
 * takes so long is not waited for.
 */
const LONG_MS = 10;
const MOST_UNDER_WAY = 2;
/** A write that waits for a lock is done again by itself, and does not hold up the others. */
const SHORT_LOCK_TIMEOUT = {
  name: "short lock timeout",
  text: "select set_config('lock_timeout', '50ms', true)",
  values: [],
};

/**
 * Where it is to be done again, nothing is left of it; `apart` is with rows of its own, so that it
 * is known whose cannot be added.
 */
export type Sharing = "committed" | "again" | "again apart" | "again alone";

interface Waiting {
  readonly tx: PostgresTransaction;
  readonly resolve: (outcome: Sharing) => void;
  readonly reject: (error: unknown) => void;
}

interface UnderWay {
  /** When the commit that it does now was begun. */
  begunAtMs: number;
}

export class SharedCommits {
  readonly #connect: () => Promise<PoolClient>;
  readonly #stats: WriteStats;
  readonly #waiting: Waiting[] = [];
  /** How many have been taken from the front of those. */
  #taken = 0;
  readonly #underWay = new Set<UnderWay>();
  #patience: NodeJS.Timeout | null = null;

  constructor(connect: () => Promise<PoolClient>, stats: WriteStats) {
    this.#connect = connect;
    this.#stats = stats;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Commits what was told. */
  commit(tx: PostgresTransaction): Promise<Sharing> {
    tx.close();
    if (tx.isEmpty) return Promise.resolve("committed");
    return new Promise((resolve, reject) => {
      this.#waiting.push({ tx, resolve, reject });
      this.#commitSoon();
    });
  }

  #commitSoon(): void {
    const longAgo = performance.now() - LONG_MS;
    const areAllLong = [...this.#underWay].every(({ begunAtMs }) => begunAtMs < longAgo);
    if (areAllLong && this.#underWay.size < MOST_UNDER_WAY) void this.#commitAll();
    else if (this.#patience === null) this.#patience = setTimeout(() => this.#lookAgain(), LONG_MS);
  }

  #lookAgain(): void {
    this.#patience = null;
    if (this.#waiting.length > 0) this.#commitSoon();
  }

  async #commitAll(): Promise<void> {
    const own: UnderWay = { begunAtMs: 0 };
    this.#underWay.add(own);
    try {
      while (this.#waiting.length > 0) {
        own.begunAtMs = performance.now();
        await this.#commitNext();
      }
    } finally {
      this.#underWay.delete(own);
    }
  }

  /** Whoever comes until there is a connection goes along. */
  async #commitNext(): Promise<void> {
    const last = this.#taken + this.#waiting.length;
    let client: PoolClient;
    try {
      client = await this.#connect();
    } catch (error) {
      // Another may have got a connection meanwhile, and taken them along: who came later is not
      // refused in their place.
      for (const { reject } of this.#take(last - this.#taken)) reject(error);
      return;
    }
    const batch = withoutRivals(this.#take(MOST_TOGETHER));
    if (batch.length === 0) {
      client.release();
      return;
    }
    const writes = batch.map(({ tx }) => tx);
    try {
      const outcome = await this.#commit(client, writes);
      const isCommitted = outcome === "committed";
      // Those behind the one that failed could not even try.
      const culprit = isCommitted ? -1 : writes.findIndex(({ failure }) => failure !== undefined);
      const retry = culprit === -1 ? RETRIES[outcome] : "again";
      for (const [index, { resolve }] of batch.entries())
        resolve(index === culprit ? "again alone" : retry);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #take(most: number): Waiting[] {
    const taken = this.#waiting.splice(0, most);
    this.#taken += taken.length;
    return taken;
  }

  async #commit(client: PoolClient, batch: readonly PostgresTransaction[]): Promise<Outcome> {
    const started = performance.now();
    let outcome: Outcome;
    try {
      outcome = await sendTogether(client, batch);
    } catch (error) {
      // The connection is lost, and nobody knows whether it was committed.
      client.release(error as Error);
      throw error;
    }
    if (outcome !== "committed") forgetConfinement(client);
    client.release();
    if (outcome === "committed") {
      this.#stats.onCommit(batch.length, (performance.now() - started) / 1000);
      return outcome;
    }
    const [first, ...others] = batch;
    const failure = first?.failure;
    // What is known of the failure of one alone would be no different the second time.
    if (others.length === 0 && failure !== undefined && !isLockTimeout(failure)) throw failure;
    return outcome;
  }
}

/**
 * What became of those that were sent together: nothing where something was refused, be it rows
 * that they added together.
 */
type Outcome = "committed" | "refused" | "rows refused";
const RETRIES = {
  committed: "committed",
  refused: "again alone",
  "rows refused": "again apart",
} as const satisfies Record<Outcome, Sharing>;

/**
 * Of those that hold the same row only the first can be right about it. The others are done by
 * themselves.
 */
function withoutRivals(waiting: readonly Waiting[]): Waiting[] {
  const held = new Set<string>();
  return waiting.filter(({ tx, resolve }) => {
    const rows = [...tx.held];
    const isRival = rows.some((row) => held.has(row));
    if (isRival) resolve("again alone");
    else for (const row of rows) held.add(row);
    return !isRival;
  });
}

/**
 * Of all of them. What fails here does so before anything is sent: it is not to be missing from
 * what is committed.
 */
function additionsOf(batch: readonly PostgresTransaction[]): (() => Promise<unknown>)[] {
  const told = batch.flatMap((tx) => tx.takeRows());
  return batch[0]?.additions(told) ?? [];
}

/** All that was told has been answered then. */
async function sendTogether(
  client: PoolClient,
  batch: readonly PostgresTransaction[],
): Promise<Outcome> {
  let additions: readonly (() => Promise<unknown>)[];
  let refused: Outcome = "refused";
  try {
    additions = additionsOf(batch);
  } catch {
    return refused;
  }
  const bundle = new QueryBundle();
  const answers: Promise<unknown>[] = [new PreparedQuery(SHORT_LOCK_TIMEOUT).run(bundle.line)];
  for (const tx of batch) answers.push(tx.sendOn(bundle.line));
  const added = Promise.all(additions.map((add) => add()));
  answers.push(
    added.catch(() => {
      refused = "rows refused";
    }),
  );
  const [end] = await Promise.allSettled([bundle.send(client), ...answers]);
  if (end.status === "fulfilled") return "committed";
  // A statement was refused, or what the commit itself checks; else the server goes away.
  if (isStatementError(end.reason)) return refused;
  throw end.reason;
}
