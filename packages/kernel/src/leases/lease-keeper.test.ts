import { expect, test } from "vitest";
import { AppError } from "../errors/app-error.ts";
import { createLogger } from "../log/logger.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { describeEachDatabase, type OpenTestDatabase } from "../testing/test-database.ts";
import { until } from "../testing/until.ts";
import { createLeaseKeeper, soleHolder } from "./lease-keeper.ts";

const log = createLogger({ level: "silent", format: "json" });
const LONG = 600;
const SHORT = 0.6;

/** The same database as one sees it who can be cut off from it. */
function cuttable(db: Database): { readonly db: Database; isCut: boolean } {
  const line: ReturnType<typeof cuttable> = {
    isCut: false,
    db: {
      ...db,
      writeSystem: (work) =>
        line.isCut
          ? Promise.reject(new AppError("unavailable", "The database is not available"))
          : db.writeSystem(work),
    },
  };
  return line;
}

/**
 * A replica that wants a lease all want, and one of its own by which the test sees that it has
 * asked.
 */
function replica(db: Database, holder: string, ttlSeconds: number) {
  const keeper = createLeaseKeeper({ db, holder, log, ttlSeconds });
  const taken: string[] = [];
  const whenTaken: (() => void)[] = [];
  keeper.want("shared", () => {
    taken.push("shared");
    for (const listener of whenTaken) listener();
  });
  keeper.want(`own of ${holder}`, () => taken.push("own"));
  return {
    taken,
    whenTaken,
    holdsShared: () => keeper.isHeld("shared"),
    start: keeper.start,
    stop: keeper.stop,
    hasAsked: () => until(() => expect(keeper.isHeld(`own of ${holder}`)).toBe(true)),
    hasShared: () => until(() => expect(keeper.isHeld("shared")).toBe(true)),
    lostShared: () => until(() => expect(keeper.isHeld("shared")).toBe(false)),
    [Symbol.asyncDispose]: keeper.stop,
  };
}

async function openTwo(open: OpenTestDatabase) {
  const t = await open([kernelMigrations]);
  const other = t.openReplica === null ? t.db : await t.openReplica();
  return { here: t.db, there: other, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

describeEachDatabase("a keeper of leases", (open) => {
  test("holds nothing before it starts", async () => {
    await using t = await openTwo(open);
    await using a = replica(t.here, "a", LONG);
    expect(a.holdsShared()).toBe(false);
  });

  test("stands back while another holds the lease", async () => {
    await using t = await openTwo(open);
    await using a = replica(t.here, "a", LONG);
    await using b = replica(t.there, "b", LONG);
    a.start();
    await a.hasShared();
    b.start();
    await b.hasAsked();
    expect(b.holdsShared()).toBe(false);
    expect(b.taken).toEqual(["own"]);
    expect(a.taken).toEqual(["shared", "own"]);
  });

  test("is alone with the lease when two start at the same moment", async () => {
    await using t = await openTwo(open);
    await using a = replica(t.here, "a", LONG);
    await using b = replica(t.there, "b", LONG);
    a.start();
    b.start();
    await Promise.all([a.hasAsked(), b.hasAsked()]);
    expect([a, b].filter((each) => each.holdsShared())).toHaveLength(1);
  });

  test("renews what it holds, and tells of it once", async () => {
    await using t = await openTwo(open);
    await using a = replica(t.here, "a", LONG);
    a.start();
    await a.hasShared();
    expect(a.taken).toEqual(["shared", "own"]);
    await using quick = replica(t.there, "quick", SHORT);
    quick.start();
    await quick.hasAsked();
    const firstExpiry = await expiryOf(t.here, "own of quick");
    await until(async () =>
      expect((await expiryOf(t.here, "own of quick")) > firstExpiry).toBe(true),
    );
    expect(quick.taken.length).toBeGreaterThan(0);
  });

  test("gives its leases back when it stops, and wakes those who stand by", async () => {
    await using t = await openTwo(open);
    const a = replica(t.here, "a", LONG);
    a.start();
    await a.hasShared();
    await using b = replica(t.there, "b", LONG);
    b.start();
    await b.hasAsked();
    await a.stop();
    expect(a.holdsShared()).toBe(false);
    await b.hasShared();
  });

  test("knows that its lease is gone when it is cut off, before another has it", async () => {
    await using t = await openTwo(open);
    const line = cuttable(t.here);
    await using a = replica(line.db, "a", SHORT);
    a.start();
    await a.hasShared();
    line.isCut = true;
    await using b = replica(t.there, "b", SHORT);
    const heldByA: boolean[] = [];
    b.whenTaken.push(() => heldByA.push(a.holdsShared()));
    b.start();
    await a.lostShared();
    await b.hasShared();
    expect(heldByA[0]).toBe(false);
  });

  test("takes its lease again, and tells of it, when it can reach the database again", async () => {
    await using t = await openTwo(open);
    const line = cuttable(t.here);
    await using a = replica(line.db, "a", SHORT);
    a.start();
    await a.hasShared();
    line.isCut = true;
    await a.lostShared();
    a.taken.length = 0;
    line.isCut = false;
    await a.hasShared();
    expect(a.taken).toContain("shared");
  });

  test("knows at its next renewal that the lease has passed to another", async () => {
    await using t = await openTwo(open);
    await using a = replica(t.here, "a", SHORT);
    a.start();
    await a.hasShared();
    await t.there.exclusively((session) =>
      session.execute(
        "update leases set holder = 'thief', expires = '9999-01-01T00:00:00.000000Z' where name = 'shared'",
      ),
    );
    await a.lostShared();
    await a.hasAsked();
    expect(a.holdsShared()).toBe(false);
  });

  test("stops without complaint when the database is gone", async () => {
    await using t = await openTwo(open);
    const line = cuttable(t.here);
    const a = replica(line.db, "a", LONG);
    a.start();
    await a.hasShared();
    line.isCut = true;
    await a.stop();
    expect(a.holdsShared()).toBe(false);
  });
});

test("a sole holder has every lease, and says so when it starts", async () => {
  const keeper = soleHolder("me");
  const taken: string[] = [];
  keeper.want("a", () => taken.push("a"));
  keeper.want("b", () => taken.push("b"));
  expect(taken).toEqual([]);
  keeper.start();
  expect(taken).toEqual(["a", "b"]);
  expect(keeper.isHeld("a")).toBe(true);
  await keeper.stop();
});

async function expiryOf(db: Database, name: string): Promise<string> {
  const [row] = await db.exclusively((session) =>
    session.rows<{ expires: string }>(`select expires from leases where name = '${name}'`),
  );
  return row?.expires ?? "";
}
