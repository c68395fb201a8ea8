import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { deferred } from "../../testing/deferred.ts";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import { aThing, insertThing, W1 } from "../../testing/things.ts";
import { openPostgres } from "./open-postgres.ts";
import { type Connections, createPool } from "./postgres-pool.ts";

const log = createLogger({ level: "silent", format: "json" });

/** A database whose first connections are had, or not, when the test says so. */
async function openWithHeldConnects(held: readonly Promise<"had" | "refused">[]) {
  const things = await openPostgresThings();
  const { url } = things;
  const pool = createPool({ url, maxConnections: 5, onIdleError: () => {} });
  let asked = 0;
  const connections: Connections = {
    connect: (async () => {
      asked += 1;
      if ((await held[asked - 1]) === "refused") throw new Error("no connection");
      return pool.connect();
    }) as Connections["connect"],
    query: pool.query.bind(pool),
    get waitingCount() {
      return pool.waitingCount;
    },
    end: () => pool.end(),
  };
  const db = openPostgres({ url, maxConnections: 5, stats: { onCommit() {} }, log, connections });
  return {
    tell: (name: string) => db.write(W1, async (tx) => tx.enqueue(insertThing, aThing({ name }))),
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await db.close();
      await things[Symbol.asyncDispose]();
    },
  };
}

test("a connection that cannot be had refuses only writes that waited for it", async () => {
  const [first, third] = [deferred<"refused">(), deferred<"had">()];
  await using t = await openWithHeldConnects([
    first.promise,
    Promise.resolve("had"),
    third.promise,
  ]);
  const early = t.tell("early");
  // Comes when the first is long in waiting, and takes it along on a connection of its own.
  await Promise.all([early, t.tell("second")]);
  const late = t.tell("late");
  await expect.poll(() => t.asked()).toBe(3);
  first.resolve("refused");
  third.resolve("had");
  await expect(late).resolves.toBeUndefined();
});

test("a connection that cannot be had refuses the writes that wait for it", async () => {
  const first = deferred<"refused">();
  await using t = await openWithHeldConnects([first.promise]);
  const refused = expect(t.tell("early")).rejects.toThrow("no connection");
  await expect.poll(() => t.asked()).toBe(1);
  first.resolve("refused");
  await refused;
  await t.tell("late");
});
