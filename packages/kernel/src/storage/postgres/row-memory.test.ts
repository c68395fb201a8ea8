import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import {
  aThing,
  heldThing,
  insertThing,
  resizeAsRead,
  resizeThing,
  selectThing,
  W1,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Transaction } from "../database.ts";
import { openPostgres } from "./open-postgres.ts";
import { RowMemory } from "./row-memory.ts";

const NAME = { name: "lamp" };
/** Nobody who reads the row finds this in it, so whoever does has not read it. */
const REMEMBERED = 41;

async function openLamp() {
  const things = await openPostgresThings();
  const { db } = things;
  await db.write(W1, async (tx) => tx.tell(insertThing, aThing({ ...NAME, size: 0 })));
  await until(() => expect(db.nudges.tellEveryChange()).toBe(true));
  return {
    ...things,
    /** Changes the lamp to `size`, and remembers it as of another one. */
    async remember(size = 0): Promise<void> {
      await db.write(W1, async (tx) => {
        tx.tell(resizeThing, { ...NAME, size });
        tx.remember(heldThing, NAME, { ...NAME, size: REMEMBERED });
      });
    },
    /** Makes it larger by one, and tells which sizes it was thought to have. */
    async grow(): Promise<(number | null | undefined)[]> {
      const seen: (number | null | undefined)[] = [];
      await db.write(W1, async (tx) => {
        const lamp = await tx.hold(heldThing, NAME);
        seen.push(lamp?.size);
        if (lamp) tx.tellChange(lamp, resizeAsRead, { ...NAME, size: (lamp.size ?? 0) + 1 });
      });
      return seen;
    },
    size: async () => (await db.in(W1).get(selectThing, NAME))?.size,
  };
}

test("a row that this process wrote last is held without reading it", async () => {
  await using t = await openLamp();
  await t.remember();
  expect([await t.grow(), await t.size()]).toEqual([[REMEMBERED], 42]);
});

test("what somebody has changed since is found out, and the write is done again with what the row is", async () => {
  await using t = await openLamp();
  await t.remember();
  await t.admin.query("update things set size = 100");
  expect([await t.grow(), await t.size()]).toEqual([[REMEMBERED, 100], 101]);
  expect(await t.grow()).toEqual([101]);
});

test("so is that it was deleted", async () => {
  await using t = await openLamp();
  await t.remember();
  await t.admin.query("delete from things");
  expect(await t.grow()).toEqual([REMEMBERED, undefined]);
});

test("a write that changes nothing goes by what the row is", async () => {
  await using t = await openLamp();
  await t.remember(3);
  const size = await t.db.write(W1, async (tx) => (await tx.hold(heldThing, NAME))?.size);
  expect(size).toBe(3);
});

test("so does one that is refused", async () => {
  await using t = await openLamp();
  await t.remember(3);
  const work = async (tx: Transaction): Promise<void> => {
    const { size } = (await tx.hold(heldThing, NAME)) ?? {};
    throw new Error(`refused at ${size}`);
  };
  await expect(t.db.write(W1, work)).rejects.toThrow("refused at 3");
});

test("what was not committed is not remembered", async () => {
  await using t = await openLamp();
  const failing = t.db.write(W1, async (tx) => {
    tx.remember(heldThing, NAME, { ...NAME, size: REMEMBERED });
    tx.tell(insertThing, aThing(NAME));
  });
  await expect(failing).rejects.toMatchObject({ code: "conflict" });
  expect(await t.grow()).toEqual([0]);
});

test("a change of which nobody says what the row is like afterwards makes it forgotten", async () => {
  await using t = await openLamp();
  await t.remember(3);
  await t.db.write(W1, async (tx) => {
    await tx.run(resizeThing, { ...NAME, size: 5 });
    tx.remember(heldThing, NAME, null);
  });
  expect(await t.grow()).toEqual([5]);
});

test("a transaction of its own, whose number nobody asked for, remembers nothing", async () => {
  await using t = await openLamp();
  await t.db.write(W1, async (tx) => {
    await tx.run(resizeThing, { ...NAME, size: 5 });
    tx.remember(heldThing, NAME, { ...NAME, size: REMEMBERED });
  });
  expect(await t.grow()).toEqual([5]);
});

test("nothing is remembered while another process works with the database", async () => {
  await using t = await openLamp();
  await t.remember(3);
  const log = createLogger({ level: "silent", format: "json" });
  const other = openPostgres({
    url: t.url,
    maxConnections: 2,
    stats: { onCommit: () => {} },
    log,
  });
  await other.write(W1, async (tx) => tx.tell(resizeThing, { ...NAME, size: 7 }));
  await t.remember(8);
  expect(await t.grow()).toEqual([8]);
  await other.close();
});

test("a memory keeps what came last, each time as an object of its own, and nothing large", () => {
  const memory = new RowMemory();
  const named = (key: string) => ({ row: heldThing, key }) as const;
  for (let n = 0; n <= 500; n += 1) memory.set(named(`${n}`), { size: n }, "7");
  expect(memory.get(named("0"))).toBeUndefined();
  expect(memory.get(named("500"))).toEqual({ value: { size: 500 }, version: "7" });
  expect(memory.get(named("500"))?.value).not.toBe(memory.get(named("500"))?.value);
  memory.set(named("500"), { name: "x".repeat(8001) }, "8");
  expect(memory.get(named("500"))).toBeUndefined();
});
