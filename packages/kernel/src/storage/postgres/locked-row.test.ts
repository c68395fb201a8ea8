import { describe, expect, test } from "vitest";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import {
  aThing,
  countThings,
  insertThing,
  lockedThing,
  resizeAsRead,
  resizeThing,
  selectThing,
  statement,
  W1,
} from "../../testing/things.ts";
import type { Transaction } from "../database.ts";

const countParts = statement()((db, p) =>
  db
    .selectFrom("parts")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id),
);

const NAMES = Array.from({ length: 50 }, (_, n) => `thing ${n}`);
const GROW = "update things set size = size + 100";
/** Fails where somebody holds it. */
const tryLock = (name: string) =>
  `select from things where name = '${name}' for no key update nowait`;

interface Resized {
  readonly name: string;
  readonly size: number;
}
type Resize = (tx: Transaction, held: object, resized: Resized) => void;

const resizeHeld: Resize = (tx, _, resized) => tx.enqueue(resizeThing, resized);
const resizeConfirming: Resize = (tx, held, resized) =>
  tx.updateLocked(held, resizeAsRead, resized);

async function openThings(names: readonly string[], resize = resizeHeld) {
  const things = await openPostgresThings();
  const { db } = things;
  await db.write(W1, async (tx) => {
    for (const name of names) tx.enqueue(insertThing, aThing({ name, size: 0 }));
  });
  things.commits.length = 0;
  return {
    ...things,
    /** Makes a thing larger by one, and tells how often that was tried. */
    async grow(name: string, between: () => Promise<unknown> = async () => {}): Promise<number> {
      let tries = 0;
      await db.write(W1, async (tx) => {
        tries += 1;
        const thing = await tx.lockRow(lockedThing, { name });
        await between();
        if (thing) resize(tx, thing, { name, size: (thing.size ?? 0) + 1 });
      });
      return tries;
    },
    size: async (name: string) => (await db.in(W1).get(selectThing, { name }))?.size,
  };
}

describe.each([
  ["before it is changed", resizeHeld],
  ["by the statement that changes it", resizeConfirming],
])("a row that is confirmed %s", (_, resize) => {
  test("of many who change the same row by what they read in it none undoes what another did", async () => {
    await using t = await openThings(["lamp"], resize);
    await Promise.all(NAMES.map(() => t.grow("lamp")));
    expect(await t.size("lamp")).toBe(50);
  });

  test("writes that hold rows of their own share commits", async () => {
    await using t = await openThings(NAMES, resize);
    const tries = await Promise.all(NAMES.map((name) => t.grow(name)));
    expect(new Set(tries)).toEqual(new Set([1]));
    expect(await Promise.all(NAMES.map(t.size))).toEqual(NAMES.map(() => 1));
    expect(t.commits.length).toBeLessThan(20);
  });

  test("a write whose row was changed meanwhile is done again with what the row is now", async () => {
    await using t = await openThings(["lamp"], resize);
    let isFirst = true;
    const tries = await t.grow("lamp", async () => {
      if (isFirst) await t.admin.query(GROW);
      isFirst = false;
    });
    expect([tries, await t.size("lamp")]).toEqual([2, 101]);
  });

  test("a write whose row was deleted meanwhile is done again without it", async () => {
    await using t = await openThings(["lamp"], resize);
    let isFirst = true;
    const tries = await t.grow("lamp", async () => {
      if (isFirst) await t.admin.query("delete from things");
      isFirst = false;
    });
    expect([tries, await t.size("lamp")]).toEqual([2, undefined]);
  });

  test("a change that was not committed when the row was read counts once it is", async () => {
    await using t = await openThings(["lamp"], resize);
    await t.admin.query(`begin; ${GROW}`);
    const grown = t.grow("lamp");
    await t.untilSomebodyWaits();
    await t.admin.query("commit");
    await grown;
    expect(await t.size("lamp")).toBe(101);
  });

  test("a row that is changed whenever it is read beside a write is locked by the second try", async () => {
    await using t = await openThings(["lamp"], resize);
    const locked: unknown[] = [];
    const tries = await t.grow("lamp", async () => {
      await t.admin.query("set lock_timeout = '20ms'");
      await t.admin.query(GROW).catch(({ code }) => locked.push(code));
    });
    expect([tries, locked, await t.size("lamp")]).toEqual([2, ["55P03"], 101]);
  });

  test("many who want the same row do not keep others from sharing commits", async () => {
    await using t = await openThings(["lamp", ...NAMES], resize);
    const rivals = Array.from({ length: 10 }, () => "lamp");
    await Promise.all([...rivals, ...NAMES].map((name) => t.grow(name)));
    expect(await t.size("lamp")).toBe(10);
    expect(t.commits.length).toBeLessThan(30);
  });

  test("one whose row was changed does not keep those from their commit that share it", async () => {
    await using t = await openThings(["lamp", ...NAMES], resize);
    let isFirst = true;
    const lamp = t.grow("lamp", async () => {
      if (isFirst) await t.admin.query("update things set size = 100 where name = 'lamp'");
      isFirst = false;
    });
    await Promise.all([lamp, ...NAMES.map((name) => t.grow(name))]);
    expect(await Promise.all(["lamp", ...NAMES].map(t.size))).toEqual([101, ...NAMES.map(() => 1)]);
  });
});

describe("a change of a row that was held", () => {
  /** Changes things after others did, and tells how often that was tried. */
  async function change(
    t: Awaited<ReturnType<typeof openThings>>,
    work: (tx: Transaction, tries: number) => Promise<void>,
  ) {
    let tries = 0;
    await t.db.write(W1, async (tx) => {
      tries += 1;
      await work(tx, tries);
    });
    return tries;
  }

  test("leaves the rows to be confirmed that were held besides", async () => {
    await using t = await openThings(["a", "b"]);
    const tries = await change(t, async (tx, n) => {
      const [, b] = await Promise.all(["a", "b"].map((name) => tx.lockRow(lockedThing, { name })));
      if (n === 1) await t.admin.query("update things set size = 9 where name = 'a'");
      tx.updateLocked(b ?? {}, resizeAsRead, { name: "b", size: 1 });
    });
    expect([tries, await t.size("a"), await t.size("b")]).toEqual([2, 9, 1]);
  });

  test("comes behind what was told before, and its row is confirmed before that", async () => {
    await using t = await openThings(["a"]);
    const tries = await change(t, async (tx, n) => {
      const a = await tx.lockRow(lockedThing, { name: "a" });
      if (n === 1) await t.admin.query("update things set size = 9 where name = 'a'");
      tx.enqueue(insertThing, aThing({ name: "b" }));
      tx.updateLocked(a ?? {}, resizeAsRead, { name: "a", size: (a?.size ?? 0) + 1 });
    });
    expect([tries, await t.size("a")]).toEqual([2, 10]);
  });

  test("that cannot be sent leaves the row to be confirmed", async () => {
    await using t = await openThings(["a"]);
    const tries = await change(t, async (tx, n) => {
      const a = await tx.lockRow(lockedThing, { name: "a" });
      const unsendable = { name: "a", size: Symbol() as unknown as number };
      expect(() => tx.updateLocked(a ?? {}, resizeAsRead, unsendable)).toThrow("Not to be sent");
      if (n === 1) await t.admin.query("update things set size = 9 where name = 'a'");
      tx.enqueue(insertThing, aThing({ name: "b" }));
    });
    expect(tries).toBe(2);
  });

  test("has nothing to confirm where the row is held in the transaction", async () => {
    await using t = await openThings(["lamp"]);
    const tries = await change(t, async (tx) => {
      await tx.get(countThings, {});
      const lamp = await tx.lockRow(lockedThing, { name: "lamp" });
      tx.updateLocked(lamp ?? {}, resizeAsRead, { name: "lamp", size: 5 });
    });
    expect([tries, await t.size("lamp")]).toEqual([1, 5]);
  });
});

test("a statement that is waited for finds out that the row was changed, and the write is done again", async () => {
  await using t = await openThings(["lamp"]);
  let tries = 0;
  await t.db.write(W1, async (tx) => {
    tries += 1;
    const thing = await tx.lockRow(lockedThing, { name: "lamp" });
    if (tries === 1) await t.admin.query(GROW);
    await tx.get(countThings, {});
    tx.enqueue(resizeThing, { name: "lamp", size: (thing?.size ?? 0) + 1 });
  });
  expect([tries, await t.size("lamp")]).toEqual([2, 101]);
});

test("a row that somebody is changing is waited for, and found to have changed", async () => {
  await using t = await openThings(["lamp"]);
  await t.admin.query(`begin; ${GROW}`);
  let tries = 0;
  const grown = t.db.write(W1, async (tx) => {
    tries += 1;
    const thing = await tx.lockRow(lockedThing, { name: "lamp" });
    await tx.get(countThings, {});
    tx.enqueue(resizeThing, { name: "lamp", size: (thing?.size ?? 0) + 1 });
  });
  await t.untilSomebodyWaits();
  await t.admin.query("commit");
  await grown;
  expect([tries, await t.size("lamp")]).toEqual([2, 101]);
});

test("nothing is sent before the rows are read that were asked for", async () => {
  await using t = await openThings(["lamp"]);
  await t.admin.query("begin; lock table things in access exclusive mode");
  await t.db.write(W1, async (tx) => {
    const held = tx.lockRow(lockedThing, { name: "lamp" });
    const waited = tx.get(countParts, {});
    await t.untilSomebodyWaits();
    await t.admin.query("commit");
    await waited;
    await expect(t.admin.query(tryLock("lamp"))).rejects.toMatchObject({ code: "55P03" });
    await held;
  });
});

test("a hold that nobody waited for is confirmed all the same", async () => {
  await using t = await openThings(["lamp"]);
  let tries = 0;
  await t.db.write(W1, async (tx) => {
    tries += 1;
    const held = tx.lockRow(lockedThing, { name: "lamp" });
    if (tries === 1) await held.then(() => t.admin.query(GROW));
    tx.enqueue(insertThing, aThing({ name: `after ${tries}` }));
  });
  expect([tries, await t.size("after 1"), await t.size("after 2")]).toEqual([2, undefined, 7]);
});

test("a write that failed to read a row commits nothing, though nobody minds", async () => {
  await using t = await openThings([]);
  const write = t.db.write(W1, async (tx) => {
    await tx.lockRow(lockedThing, { name: "\0" }).catch(() => {});
    tx.enqueue(insertThing, aThing());
  });
  await expect(write).rejects.toMatchObject({ code: "invalid" });
  expect(await t.size("lamp")).toBeUndefined();
});

test("a write that is over holds nothing any more", async () => {
  await using t = await openThings(["lamp"]);
  const late = await t.db.write(W1, async (tx) => () => tx.lockRow(lockedThing, { name: "lamp" }));
  await expect(late()).rejects.toThrow("The transaction is over");
});

const holdThenWait = (tx: Transaction, names: readonly string[]) =>
  Promise.all(names.map((name) => tx.lockRow(lockedThing, { name }))).then(() =>
    tx.get(countThings, {}),
  );

test("from the first statement on that is waited for nobody else can change the row", async () => {
  await using t = await openThings(["lamp"]);
  await t.db.write(W1, async (tx) => {
    await holdThenWait(tx, ["lamp"]);
    await expect(t.admin.query(tryLock("lamp"))).rejects.toMatchObject({ code: "55P03" });
  });
  await t.admin.query(tryLock("lamp"));
});

test("rows are held in the order in which they were asked for", async () => {
  await using t = await openThings(["a", "b"]);
  await t.admin.query(`begin; ${tryLock("a")}`);
  const waits = t.db.write(W1, (tx) => holdThenWait(tx, ["a", "b"]));
  await t.untilSomebodyWaits();
  await t.admin.query(tryLock("b"));
  await t.admin.query("commit");
  await waits;
});

test("a row that the same write has made can be held", async () => {
  await using t = await openThings([]);
  const held = await t.db.write(W1, async (tx) => {
    tx.enqueue(insertThing, aThing({ name: "new", size: 3 }));
    return tx.lockRow(lockedThing, { name: "new" });
  });
  expect(held).toEqual({ name: "new", size: 3 });
});

test("a row is held in the transaction that a write has already", async () => {
  await using t = await openThings([]);
  const held = await t.db.write(W1, async (tx) => {
    await tx.run(insertThing, aThing({ name: "new", size: 3 }));
    return tx.lockRow(lockedThing, { name: "new" });
  });
  expect(held).toEqual({ name: "new", size: 3 });
});

test("who holds a row and changes nothing commits nothing", async () => {
  await using t = await openThings(["lamp"]);
  const held = await t.db.write(W1, (tx) => tx.lockRow(lockedThing, { name: "lamp" }));
  expect([held, t.commits]).toMatchObject([{ name: "lamp", size: 0 }, []]);
});
