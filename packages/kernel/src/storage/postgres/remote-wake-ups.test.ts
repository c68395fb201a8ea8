import pg from "pg";
import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { cutOffListeners } from "../../testing/cut-off-listeners.ts";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { W1 } from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./open-postgres.ts";

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };

async function openReplicas() {
  const { url, drop } = await createTestPostgres();
  const open = () => openPostgres({ url, maxConnections: 3, stats, log });
  const here = open();
  const there = open();
  const heard = { here: counters(here), there: counters(there) };
  // A replica calls all its listeners when it can hear the others, and writes only then.
  await Promise.all([nudge(here, []), nudge(there, [])]);
  Object.assign(heard.here, NOTHING);
  Object.assign(heard.there, NOTHING);
  return {
    url,
    here,
    there,
    heard,
    async [Symbol.asyncDispose]() {
      await Promise.all([here.close(), there.close()]);
      await drop();
    },
  };
}

const NOTHING = { things: 0, answers: 0 };

function counters(db: Database): { things: number; answers: number } {
  const heard = { ...NOTHING };
  for (const topic of ["things", "answers"] as const) {
    db.wakeUps.on(topic, () => {
      heard[topic] += 1;
    });
  }
  return heard;
}

const nudge = (db: Database, topics: readonly string[]) =>
  db.write(W1, async (tx) => {
    for (const topic of topics) tx.notify(topic);
  });

test("calls the listeners here at once and those of other replicas soon", async () => {
  await using t = await openReplicas();
  await nudge(t.here, ["things"]);
  expect(t.heard.here.things).toBe(1);
  await until(() => expect(t.heard.there.things).toBe(1));
});

test("does not call the listeners here again when its own call comes back", async () => {
  await using t = await openReplicas();
  await nudge(t.here, ["things"]);
  await until(() => expect(t.heard.there.things).toBe(1));
  // Calls arrive in order: whoever hears this one has heard all before it.
  await nudge(t.there, ["answers"]);
  await until(() => expect(t.heard.here.answers).toBe(1));
  expect(t.heard.here.things).toBe(1);
});

test("calls nobody elsewhere for a write that failed", async () => {
  await using t = await openReplicas();
  const failed = t.here.write(W1, async (tx) => {
    tx.notify("things");
    throw new Error("second thoughts");
  });
  await expect(failed).rejects.toThrow("second thoughts");
  await nudge(t.here, ["answers"]);
  await until(() => expect(t.heard.there.answers).toBe(1));
  expect(t.heard.there.things).toBe(0);
});

test("reaches the other replicas even with more topics than one call can name", async () => {
  await using t = await openReplicas();
  const many = Array.from(
    { length: 500 },
    (_, n) => `a topic with a long name and the number ${n}`,
  );
  await nudge(t.here, [...many, "things"]);
  await until(() => expect(t.heard.there.things).toBe(1));
});

test("listens again after its connection was lost, and calls all who may have missed something", async () => {
  await using t = await openReplicas();
  const admin = new pg.Client({ connectionString: t.url });
  await admin.connect();
  await cutOffListeners(admin);
  await admin.end();
  await until(() => {
    expect(t.heard.here.things).toBeGreaterThan(0);
    expect(t.heard.there.things).toBeGreaterThan(0);
  });
  await nudge(t.here, ["answers"]);
  await until(() => expect(t.heard.there.answers).toBeGreaterThan(0));
});
