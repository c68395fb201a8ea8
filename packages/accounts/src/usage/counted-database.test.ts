import { type AppendedEvent, appendEvent, appendEvents } from "@orchestrator/kernel/events";
import { kernelMigrations } from "@orchestrator/kernel/storage";
import { describeEachDatabase, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { countedDatabase } from "./counted-database.ts";
import { UsageCounts } from "./usage-counts.ts";

const [HERE, THERE] = ["a", "b"].map(
  (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`,
) as [string, string];
const NOW = "2026-11-15T12:00:00.000000Z";

const anEvent = (n: number): AppendedEvent => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  occurred: NOW,
  received: NOW,
  event: "x",
  resource_id: "x",
  body: '{"related":[]}',
});

describeEachDatabase("what is added in a workspace", (open) => {
  test("is counted when it is committed, by whichever transaction", async () => {
    await using opened = await open([kernelMigrations]);
    const usage = new UsageCounts(manualClock(NOW));
    const db = countedDatabase(opened.db, usage);
    await db.write(HERE, (tx) => appendEvent(tx, anEvent(1)));
    await db.writeSystem(async (tx) => {
      await appendEvents(tx.inWorkspace(HERE), [anEvent(2), anEvent(3)]);
      await appendEvent(tx.inWorkspace(THERE), anEvent(1));
    });
    const failed = db.write(HERE, async (tx) => {
      await appendEvent(tx, anEvent(4));
      throw new Error("taken back");
    });
    await expect(failed).rejects.toThrow("taken back");
    await db.write(HERE, async (tx) => tx.added?.("runs", 5));
    expect(usage.ownOf(HERE)).toEqual({ runs: 5, events: 3 });
    expect(usage.ownOf(THERE)).toEqual({ runs: 0, events: 1 });
  });

  test("is counted once where an event comes in several times together", async () => {
    await using opened = await open([kernelMigrations]);
    const usage = new UsageCounts(manualClock(NOW));
    const db = countedDatabase(opened.db, usage);
    for (let n = 0; n < 2; n += 1)
      await db.write(HERE, (tx) => appendEvents(tx, [anEvent(1), anEvent(2)]));
    expect(usage.ownOf(HERE).events).toBe(2);
  });

  test("is heard of by nobody where nobody counts", async () => {
    await using opened = await open([kernelMigrations]);
    await opened.db.write(HERE, async (tx) => {
      expect(tx.added).toBeUndefined();
      await appendEvent(tx, anEvent(1));
    });
  });
});
