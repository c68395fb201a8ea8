import { expect, test } from "vitest";
import { createLogger } from "../log/logger.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { migrate } from "../storage/migrate.ts";
import { anEvent } from "../testing/events.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import { appendEvent, appendEvents } from "./append.ts";
import { relatedSet } from "./related.ts";
import { createEventRetention } from "./retention.ts";

const HOUR_MS = 3_600_000;
const RELATED = [
  { "prefect.resource.id": "flow.1", "prefect.resource.role": "flow" },
  { "orchestrator.resource.id": "tag.x", "orchestrator.resource.role": "tag" },
];
const body = JSON.stringify({ related: RELATED });
const related = JSON.stringify(RELATED);

interface Row {
  readonly event: string;
  readonly day: string;
  readonly resource_id: string;
  readonly role: string;
}

/** The related resources of every event, as a query finds them. */
const found = (db: Database): Promise<string[]> =>
  db.exclusively(async (session) => {
    const rows = await session.rows<Row>(
      `select e.event, r.resource_id, r.role from events e join event_related r
       on r.workspace_id = e.workspace_id and r.set_id = e.related_id and r.day = substr(e.occurred, 1, 10)
       order by e.position, r.item`,
    );
    return rows.map(({ event, resource_id, role }) => `${event} ${resource_id} ${role}`);
  });

/** All that is kept, whether or not an event names it. */
const kept = (db: Database): Promise<string[]> =>
  db.exclusively(async (session) => {
    const rows = await session.rows<Row>(
      "select resource_id, day from event_related order by resource_id, day",
    );
    return rows.map(({ resource_id, day }) => `${resource_id} ${day}`);
  });

test("the sets read last are remembered, but not those that are large", () => {
  const setOf = (id: string) => relatedSet(JSON.stringify([{ "prefect.resource.id": id }]));
  expect(setOf("x")).toBe(setOf("x"));
  const large = "x".repeat(5000);
  expect(setOf(large)).toEqual(setOf(large));
  expect(setOf(large)).not.toBe(setOf(large));
});

describeEachDatabase("the related resources of events", (open) => {
  test("are found whether or not their text was at hand", async () => {
    await using t = await open([kernelMigrations]);
    await t.db.write(W1, async (tx) => {
      await appendEvent(tx, anEvent({ event: "a", body }));
      await appendEvent(tx, anEvent({ event: "b", body, related }));
      await appendEvent(tx, anEvent({ event: "c" }));
    });
    expect(await found(t.db)).toEqual([
      "a flow.1 flow",
      "a tag.x tag",
      "b flow.1 flow",
      "b tag.x tag",
    ]);
  });

  test("are kept once for a day and a workspace, however many events name them", async () => {
    await using t = await open([kernelMigrations]);
    const add = (workspace: string, occurred: string) =>
      t.db.write(workspace, (tx) => appendEvent(tx, anEvent({ body, related, occurred })));
    await Promise.all(Array.from({ length: 20 }, () => add(W1, "2026-01-01T10:00:00.000000Z")));
    expect(await kept(t.db)).toHaveLength(2);
    await add(W1, "2026-01-02T10:00:00.000000Z");
    await add(W2, "2026-01-02T10:00:00.000000Z");
    expect(await kept(t.db)).toHaveLength(6);
    expect(await found(t.db)).toHaveLength(44);
  });

  test("are taken back with a write that fails, and written by the next one", async () => {
    await using t = await open([kernelMigrations]);
    const failed = t.db.write(W1, async (tx) => {
      await appendEvent(tx, anEvent({ body, related }));
      throw new Error("second thoughts");
    });
    await expect(failed).rejects.toThrow("second thoughts");
    await t.db.write(W1, (tx) => appendEvent(tx, anEvent({ event: "a", body, related })));
    expect(await found(t.db)).toEqual(["a flow.1 flow", "a tag.x tag"]);
  });

  test("of several events are written together, each set once a day", async () => {
    await using t = await open([kernelMigrations]);
    const other = JSON.stringify([{ "prefect.resource.id": "x", "prefect.resource.role": "y" }]);
    const next = { occurred: "2026-01-02T00:00:00.000000Z" };
    const events = [
      anEvent({ event: "a", related }),
      anEvent({ event: "b", related }),
      anEvent({ event: "c", related: other }),
      anEvent({ event: "d", related: "[]" }),
      anEvent({ event: "e", related: other, ...next }),
    ];
    for (let times = 0; times < 2; times += 1)
      await t.db.write(W1, (tx) => appendEvents(tx, events));
    expect(await found(t.db)).toEqual([
      "a flow.1 flow",
      "a tag.x tag",
      "b flow.1 flow",
      "b tag.x tag",
      "c x y",
      "e x y",
    ]);
    expect(await kept(t.db)).toHaveLength(4);
  });

  test("of events that were there before are found as well", async () => {
    const [eventLog, leases] = kernelMigrations.migrations;
    if (eventLog === undefined || leases === undefined) throw new Error("The list is shorter");
    await using t = await open([{ component: "kernel", migrations: [eventLog, leases] }]);
    await t.db.exclusively((session) =>
      session.execute(
        `insert into events (workspace_id, id, occurred, received, event, resource_id, body)
         values ('${W1}', '${W1}', '2026-01-01T00:00:00.000000Z', '', 'a', 'x', '${body}'),
                ('${W1}', '${W2}', '2026-01-01T00:00:00.000000Z', '', 'b', 'x', '{"related":[]}')`,
      ),
    );
    await migrate(t.db, [kernelMigrations]);
    expect(await found(t.db)).toEqual(["a flow.1 flow", "a tag.x tag"]);
  });

  test("are forgotten a day after the last event that names them", async () => {
    await using t = await open([kernelMigrations]);
    const clock = manualClock("2026-01-01T12:00:00Z");
    const { signal } = new AbortController();
    const options = { keepMs: 2 * HOUR_MS, unreadMs: 24 * HOUR_MS };
    const log = createLogger({ level: "silent", format: "json" });
    const pass = createEventRetention(t.db, { clock, log }, options);
    const expire = () => pass(signal);
    const add = (received: string, id: string) => {
      const set = JSON.stringify([{ "prefect.resource.id": id, "prefect.resource.role": "flow" }]);
      const event = anEvent({ received, occurred: received, related: set });
      return t.db.write(W1, (tx) => appendEvent(tx, event));
    };
    await add("2025-12-30T10:00:00.000000Z", "old");
    await add("2025-12-30T10:00:00.000000Z", "both");
    await add("2025-12-31T11:00:00.000000Z", "younger");
    await add("2026-01-01T11:00:00.000000Z", "both");
    expect(await kept(t.db)).toHaveLength(4);
    expect(await expire()).toBe(3);
    expect(await kept(t.db)).toEqual(["both 2026-01-01", "younger 2025-12-31"]);
    clock.advanceMs(48 * HOUR_MS);
    expect(await expire()).toBe(1);
    expect(await kept(t.db)).toEqual([]);
  });
});
