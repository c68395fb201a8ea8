// Making a connection takes the server longer than most tests do, and a new one knows no table yet.
// So those to a database that is used again stay open and go with it from test to test.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { forgetSession } from "../storage/postgres/confined-query.ts";
import { type Connections, createPool } from "../storage/postgres/postgres-pool.ts";

export interface PersistentConnections {
  /**
   * The connections as one opening of the database has them: ending them keeps that opening from
   * using them, no more.
   */
  readonly lend: () => Connections;
  /**
   * Makes them as good as new, and tells the processes that serve them. Rejects when one of them is
   * still in use.
   */
  readonly restore: () => Promise<number[]>;
  readonly end: () => void;
}

/** A read that nobody waited for may be under way when the test is over. */
const PATIENCE_MS = [1, 2, 5, 10, 20, 50, 100, 200];

const RESTORE =
  "reset role; reset all; select pg_advisory_unlock_all(); unlisten *; discard temp; select pg_backend_pid() as pid";

/** Of one opening of a database. */
export const MAX_CONNECTIONS = 5;

export function openPersistentConnections(url: string): PersistentConnections {
  const pool = createPool({ url, maxConnections: MAX_CONNECTIONS, onIdleError: () => {} });
  return {
    lend: () => lendOnce(pool),
    restore: async () => {
      await untilIdle(pool);
      const clients = await Promise.all(
        Array.from({ length: pool.idleCount }, () => pool.connect()),
      );
      try {
        return await Promise.all(clients.map(restore));
      } finally {
        for (const client of clients) client.release();
      }
    },
    end: () => {
      pool.end().catch(() => {});
    },
  };
}

function lendOnce(pool: pg.Pool): Connections {
  let isEnded = false;
  const unlessEnded = <T>(use: () => Promise<T>): Promise<T> =>
    isEnded ? Promise.reject(new Error("The connections were ended")) : use();
  return {
    connect: (() => unlessEnded(() => pool.connect())) as pg.Pool["connect"],
    query: ((...args: Parameters<pg.Pool["query"]>) =>
      unlessEnded(async () => pool.query(...args))) as pg.Pool["query"],
    get waitingCount() {
      return pool.waitingCount;
    },
    end: async () => {
      isEnded = true;
    },
  };
}

async function untilIdle(pool: pg.Pool): Promise<void> {
  for (const ms of PATIENCE_MS) {
    if (pool.idleCount === pool.totalCount && pool.waitingCount === 0) return;
    await sleep(ms);
  }
  throw new Error("A connection is still in use");
}

async function restore(client: pg.PoolClient): Promise<number> {
  forgetSession(client);
  // Several statements have several results.
  const results = (await client.query(RESTORE)) as unknown as pg.QueryResult<{ pid: number }>[];
  return results.at(-1)?.rows[0]?.pid ?? 0;
}
