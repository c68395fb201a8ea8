import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { kernelMigrations } from "../migrations/index.ts";
import { anEvent } from "../testing/events.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import { until } from "../testing/until.ts";
import { appendEvent, appendEvents, EVENTS_TOPIC } from "./append.ts";
import { followLog, readHead } from "./read.ts";

describeEachDatabase("the event log", (open) => {
  test("keeps an event as it was given, with its workspace and position", async () => {
    await using t = await open([kernelMigrations]);
    const event = anEvent({ body: '{"z": 1, "a": [1.50, "\\u00e9"]}' });
    await t.db.write(W2, (tx) => appendEvent(tx, event));
    const [logged] = await followLog(t.db).next(0, 10);
    expect(logged).toMatchObject({ ...event, workspace_id: W2, position: 1 });
  });

  test("takes an event with half a character, and with escapes that no text can hold", async () => {
    await using t = await open([kernelMigrations]);
    const body = '{"payload":{"cut":"\\ud83d","nul":"\\u0000"},"related":[]}';
    const related = JSON.stringify([{ "orchestrator.resource.id": "tag.\ud83d" }]);
    const event = anEvent({ body, event: "cut \ud83d", resource_id: "cut.\ud83d", related });
    await t.db.write(W1, (tx) => appendEvent(tx, event));
    const several = [event, event].map((one) => ({ ...one, id: randomUUID() }));
    await t.db.write(W1, (tx) => appendEvents(tx, several));
    const logged = await followLog(t.db).next(0, 10);
    const kept = { body, event: "cut \ufffd", resource_id: "cut.\ufffd" };
    expect(logged).toMatchObject([kept, kept, kept]);
  });

  test("has no event of a write that was taken back", async () => {
    await using t = await open([kernelMigrations]);
    const failed = t.db.write(W1, async (tx) => {
      await appendEvent(tx, anEvent());
      throw new Error("second thoughts");
    });
    await expect(failed).rejects.toThrow("second thoughts");
    expect(await followLog(t.db).next(0, 10)).toEqual([]);
    expect(await readHead(t.db)).toBe(0);
  });

  test("keeps the first of two events with the same id", async () => {
    await using t = await open([kernelMigrations]);
    const event = anEvent({ event: "first" });
    await t.db.write(W1, (tx) => appendEvent(tx, event));
    await t.db.write(W1, (tx) => appendEvent(tx, { ...event, event: "second" }));
    expect(await followLog(t.db).next(0, 10)).toMatchObject([{ event: "first" }]);
  });

  test("keeps both of two events with the same id in different workspaces", async () => {
    await using t = await open([kernelMigrations]);
    const event = anEvent();
    await t.db.write(W1, (tx) => appendEvent(tx, event));
    await t.db.write(W2, (tx) => appendEvent(tx, event));
    expect(await followLog(t.db).next(0, 10)).toHaveLength(2);
  });

  test("takes several events at once, in their order and each as it was given", async () => {
    await using t = await open([kernelMigrations]);
    const known = anEvent({ event: "known" });
    await t.db.write(W2, (tx) => appendEvent(tx, known));
    const body = '{"z": 1, "a": [1.50, "\\u00e9", "\\"q\\" \\\\"], "related": []}';
    const events = ["a", "b", "c"].map((event) =>
      anEvent({ event, body, resource_id: `${event} "é"` }),
    );
    const again = { ...(events[0] ?? known), event: "again" };
    await t.db.write(W2, (tx) =>
      appendEvents(tx, [{ ...known, event: "other" }, ...events, again]),
    );
    const follower = followLog(t.db);
    const logged = await follower.next(0, 1);
    // Positions of events that were known already are missing.
    await until(async () => {
      logged.push(...(await follower.next(logged.at(-1)?.position ?? 0, 10)));
      expect(logged).toHaveLength(4);
    });
    expect(logged).toMatchObject([known, ...events]);
    expect(logged.every(({ workspace_id }) => workspace_id === W2)).toBe(true);
  });

  test("calls its followers when an event is committed", async () => {
    await using t = await open([kernelMigrations]);
    const seen: number[] = [];
    let calls = 0;
    t.db.wakeUps.on(EVENTS_TOPIC, () => {
      calls += 1;
    });
    t.db.wakeUps.on("another topic", () => {
      calls -= 1;
    });
    await t.db.write(W1, async (tx) => {
      await appendEvent(tx, anEvent());
      seen.push(calls);
    });
    seen.push(calls);
    expect(seen).toEqual([0, 1]);
  });
});
