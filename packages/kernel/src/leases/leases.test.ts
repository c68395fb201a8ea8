import { describe, expect, test } from "vitest";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database, SystemTransaction } from "../storage/database.ts";
import { deferred } from "../testing/deferred.ts";
import { describeEachDatabase, openTestPostgres } from "../testing/test-database.ts";
import { until } from "../testing/until.ts";
import { countWaiting } from "../testing/waiting.ts";
import { assertLease, releaseLeases, takeLeases } from "./leases.ts";

const LONG = 600;
/** Over almost at once. */
const SHORT = 0.05;

const takeAll = (db: Database, holder: string, names: readonly string[]) =>
  db.writeSystem((tx) => takeLeases(tx, { names, holder, ttl_seconds: LONG }));
async function take(db: Database, holder: string, ttl_seconds: number): Promise<number | null> {
  const taken = await db.writeSystem((tx) =>
    takeLeases(tx, { names: ["cleaning"], holder, ttl_seconds }),
  );
  return taken.get("cleaning") ?? null;
}
const assertHeld = (db: Database, holder: string) =>
  db.writeSystem((tx) => assertLease(tx, { name: "cleaning", holder }));

async function takeOnceExpired(db: Database, holder: string, ttlSeconds: number): Promise<number> {
  return until(async () => {
    const token = await take(db, holder, ttlSeconds);
    if (token === null) throw new Error("not expired yet");
    return token;
  });
}

describeEachDatabase("a lease", (open) => {
  test("is taken by the first who asks and refused to others", async () => {
    await using t = await open([kernelMigrations]);
    expect(await take(t.db, "a", LONG)).toBe(1);
    expect(await take(t.db, "b", LONG)).toBeNull();
  });

  test("has one holder when many ask at once", async () => {
    await using t = await open([kernelMigrations]);
    const other = t.openReplica === null ? t.db : await t.openReplica();
    const holders = ["a", "b", "c", "d", "e", "f"];
    const tokens = await Promise.all(
      holders.map((holder, n) => take(n % 2 === 0 ? t.db : other, holder, LONG)),
    );
    expect(tokens.filter((token) => token !== null)).toEqual([1]);
  });

  test("is taken with others at once, but for those that somebody else has", async () => {
    await using t = await open([kernelMigrations]);
    await takeAll(t.db, "a", ["baking", "cleaning"]);
    const names = ["driving", "cleaning", "asking"];
    expect(await takeAll(t.db, "b", names)).toEqual(
      new Map([
        ["asking", 1],
        ["driving", 1],
      ]),
    );
    expect(await takeAll(t.db, "b", [])).toEqual(new Map());
  });

  test("is renewed by its holder under the same token", async () => {
    await using t = await open([kernelMigrations]);
    await take(t.db, "a", SHORT);
    expect(await take(t.db, "a", LONG)).toBe(1);
    expect(await take(t.db, "b", LONG)).toBeNull();
  });

  test("passes to another once it has expired, under a greater token each time", async () => {
    await using t = await open([kernelMigrations]);
    expect(await take(t.db, "a", SHORT)).toBe(1);
    expect(await takeOnceExpired(t.db, "b", SHORT)).toBe(2);
    expect(await takeOnceExpired(t.db, "a", LONG)).toBe(3);
  });

  test("can be taken at once after it was given back, under a greater token", async () => {
    await using t = await open([kernelMigrations]);
    await take(t.db, "a", LONG);
    await releaseLeases(t.db, "somebody else");
    expect(await take(t.db, "b", LONG)).toBeNull();
    await releaseLeases(t.db, "a");
    expect(await take(t.db, "b", LONG)).toBe(2);
  });

  test("lets a write pass that asserts it for its holder, and no other", async () => {
    await using t = await open([kernelMigrations]);
    await expect(assertHeld(t.db, "a")).rejects.toThrow("cleaning");
    await take(t.db, "a", LONG);
    await assertHeld(t.db, "a");
    await expect(assertHeld(t.db, "b")).rejects.toThrow("cleaning");
    await releaseLeases(t.db, "a");
    await expect(assertHeld(t.db, "a")).rejects.toThrow("cleaning");
    await take(t.db, "b", LONG);
    await expect(assertHeld(t.db, "a")).rejects.toThrow("cleaning");
    await assertHeld(t.db, "b");
  });

  test("is no longer asserted once it has expired, though nobody else has taken it", async () => {
    await using t = await open([kernelMigrations]);
    await take(t.db, "a", SHORT);
    await until(() => expect(assertHeld(t.db, "a")).rejects.toThrow("cleaning"));
  });
});

// Only where several can write at once could it change meanwhile.
describe("a lease [postgres]", () => {
  test("does not change while a write that asserted it is under way", async () => {
    await using t = await openTestPostgres([kernelMigrations]);
    await take(t.db, "a", LONG);
    const order: string[] = [];
    const asserted = deferred();
    const end = deferred();
    const write = t.db.writeSystem(async (tx) => {
      await assertLease(tx, { name: "cleaning", holder: "a" });
      asserted.resolve();
      await end.promise;
      order.push("write ends");
    });
    await asserted.promise;
    const released = releaseLeases(t.db, "a").then(() => order.push("lease changes"));
    await until(async () => expect(await countWaiting(t.db)).toBe(1));
    end.resolve();
    await Promise.all([write, released]);
    expect(order).toEqual(["write ends", "lease changes"]);
  });

  test("is waited for in the order of names, so that nobody holds what another waits for", async () => {
    await using t = await openTestPostgres([kernelMigrations]);
    await takeAll(t.db, "a", ["baking", "cleaning"]);
    const begun: string[] = [];
    const [hasFirst, goOn] = [deferred(), deferred()];
    const take = (tx: SystemTransaction, ...names: string[]) =>
      takeLeases(tx, { names, holder: "a", ttl_seconds: LONG });
    const first = t.db.writeSystem(async (tx) => {
      begun.push("first");
      await take(tx, "baking");
      hasFirst.resolve();
      await goOn.promise;
      await take(tx, "cleaning");
    });
    await hasFirst.promise;
    const second = t.db.writeSystem((tx) => {
      begun.push("second");
      return take(tx, "cleaning", "baking");
    });
    await until(async () => expect(await countWaiting(t.db)).toBe(1));
    goOn.resolve();
    await Promise.all([first, second]);
    // One that the database had to end would have begun again.
    expect(begun).toEqual(["first", "second"]);
  });
});
