import { describe, expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { describeEachDatabase, openTestPostgres } from "../testing/test-database.ts";
import { aThing, insertThing, statement, thingMigrations, W1 } from "../testing/things.ts";
import { unclaimed } from "./claim.ts";
import type { Database, Transaction } from "./database.ts";

const claimThings = statement<{ limit: number }>()((db, p, dialect) =>
  db
    .updateTable("things")
    .set({ is_on: true })
    .where("workspace_id", "=", p.workspace_id)
    .where(
      "name",
      "in",
      unclaimed(
        db
          .selectFrom("things")
          .select("name")
          .where("workspace_id", "=", p.workspace_id)
          .where("is_on", "=", false)
          .orderBy("name")
          .limit(p.limit),
        dialect,
      ),
    )
    .returning("name"),
);

async function addThings(db: Database, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `thing ${String(n).padStart(3, "0")}`);
  await db.write(W1, async (tx) => {
    for (const name of names) await tx.run(insertThing, aThing({ name, is_on: false }));
  });
  return names;
}

const claim = async (tx: Transaction, limit: number) =>
  (await tx.all(claimThings, { limit })).map(({ name }) => name);

describeEachDatabase("claims", (open) => {
  test("hand each row to one of several claimers, and all rows to somebody", async () => {
    await using t = await open([thingMigrations]);
    const other = t.openReplica === null ? t.db : await t.openReplica();
    const names = await addThings(t.db, 60);
    const claimed: string[] = [];
    const claimAll = async (db: Database): Promise<void> => {
      for (;;) {
        const batch = await db.write(W1, (tx) => claim(tx, 3));
        if (batch.length === 0) return;
        claimed.push(...batch);
      }
    };
    await Promise.all([t.db, other, t.db, other].map(claimAll));
    expect(claimed.toSorted()).toEqual(names);
  });
});

// Only where several can write at once is there anyone to wait for.
describe("claims [postgres]", () => {
  test("make no claimer wait for rows that another is taking", async () => {
    await using t = await openTestPostgres([thingMigrations]);
    const [first, second] = await addThings(t.db, 2);
    const taken = deferred<string[]>();
    const release = deferred();
    const slow = t.db.write(W1, async (tx) => {
      taken.resolve(await claim(tx, 1));
      await release.promise;
    });
    expect(await taken.promise).toEqual([first]);
    expect(await t.db.write(W1, (tx) => claim(tx, 2))).toEqual([second]);
    release.resolve();
    await slow;
  });
});
