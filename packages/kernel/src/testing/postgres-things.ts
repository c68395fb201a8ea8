// Things in a database of their own on PostgreSQL, seen also from outside.

import pg from "pg";
import { expect } from "vitest";
import { createLogger } from "../log/logger.ts";
import { migrate } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { deferred } from "./deferred.ts";
import { createTestPostgres } from "./postgres-databases.ts";
import { countThings, thingMigrations, W1 } from "./things.ts";
import { until } from "./until.ts";

const log = createLogger({ level: "silent", format: "json" });

export async function openPostgresThings() {
  const { url, drop } = await createTestPostgres();
  const commits: number[] = [];
  const stats = { onCommit: (writes: number) => commits.push(writes) };
  const db = openPostgres({ url, maxConnections: 5, stats, log });
  await migrate(db, [thingMigrations]);
  commits.length = 0;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  return {
    db,
    url,
    /** How many writes shared each commit. */
    commits,
    admin,
    /** Leaves no connection to others until it is called again. */
    async holdAll(): Promise<() => Promise<unknown>> {
      const release = deferred();
      const holders = [1, 2, 3, 4].map(() =>
        db.write(W1, async (tx) => {
          await tx.get(countThings, {});
          await release.promise;
        }),
      );
      await until(async () => {
        const { rowCount } = await admin.query(
          "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        );
        expect(rowCount).toBe(4);
      });
      return () => {
        release.resolve();
        return Promise.all(holders);
      };
    },
    /** Until somebody waits for what another holds. */
    untilSomebodyWaits: () =>
      until(async () => {
        const { rowCount } = await admin.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(rowCount).toBeGreaterThan(0);
      }),
    async [Symbol.asyncDispose]() {
      await db.close();
      await admin.end();
      await drop();
    },
  };
}
