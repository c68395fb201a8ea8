import { randomUUID } from "node:crypto";
import { BLOCKS_PER_PASS } from "@orchestrator/kernel/lists";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import type { Queries, Query } from "@orchestrator/kernel/storage";
import { manualClock, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countByName,
  countByResource,
  countByTime,
} from "../../telemetry/events/events-count.store.ts";
import type { EventSelection } from "../../telemetry/events/events-filter.store.ts";
import { countEvents, findEventKeys } from "../../telemetry/events/events-page.store.ts";
import { findEventRanges } from "../../telemetry/events/events-ranges.store.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { createTextBlocksTick } from "./text-blocks.loop.ts";

const NOW = "2026-06-01T12:00:00.000000Z";
const WORKSPACE = openScope("test").workspaceId;
const RUN = "0193aa00-0000-7000-8000-00000000000a";
const ago = (minutes: number): string => formatMicros(parseMicros(NOW) - minutes * 60_000_000);
const { signal } = new AbortController();

/** By name, by resource and by hour, each in one order. */
async function counts(queries: Queries, selection: EventSelection): Promise<unknown[]> {
  const hours = { start: parseMicros(ago(6000)), length: 3_600_000_000, count: 101 };
  const groups = [
    ...(await countByName(queries, selection)),
    ...(await countByResource(queries, selection)),
  ];
  const times = await countByTime(queries, selection, hours);
  return [
    ...groups.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
    ...times.toSorted((a, b) => a.bucket - b.bucket),
  ];
}

const openAtNoon = (open: OpenTestApi): Promise<TestApi> => open({ clock: manualClock(NOW) });
const keep = async ({ ctx }: TestApi): Promise<void> => {
  const tick = createTextBlocksTick(ctx);
  for (let pass = 0; pass < 3; pass += 1) await tick(signal);
  const blocks = await ctx.db.exclusively((session) => session.rows("select 1 from text_blocks"));
  expect(blocks.length).toBeGreaterThan(5);
};

const aLine = (timestamp: string, message: string, more: object = {}) => ({
  name: "flow",
  level: 20,
  timestamp,
  message,
  ...more,
});

/** Many blocks behind those that are glanced at for a page of twenty. */
const OLD_LINES = 3000;

async function writeOldLines(api: TestApi): Promise<void> {
  const lines = Array.from({ length: OLD_LINES }, (_, n) => aLine(ago(30 + n), `line ${n}`));
  expect((await api.post("/logs/", lines)).status).toBe(201);
}

async function messages(api: TestApi, query: string, more: object = {}): Promise<string[]> {
  const { logs = {}, ...page } = more as { readonly logs?: object };
  const answer = await api.post("/logs/filter", {
    logs: { text: { query }, ...logs },
    sort: "TIMESTAMP_DESC",
    limit: 20,
    ...page,
  });
  expect(answer.status).toBe(200);
  return (answer.body as { message: string }[]).map(({ message }) => message);
}

describeEachApi("a search for rare words in logs", (open) => {
  test("finds them among old lines, in both orders, page by page", async () => {
    await using api = await openAtNoon(open);
    await writeOldLines(api);
    const rare = Array.from({ length: 5 }, (_, n) =>
      aLine(ago(1500.5 + 20 * n), `needle ${n}`, { level: 10 * n, name: "in.hay" }),
    );
    await api.post("/logs/", rare);
    await keep(api);
    const all = [0, 1, 2, 3, 4].map((n) => `needle ${n}`);
    expect(await messages(api, "needle")).toEqual(all);
    expect(await messages(api, "NEEDLE", { sort: "TIMESTAMP_ASC" })).toEqual(all.toReversed());
    expect(await messages(api, "in.hay", { limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
    expect(await messages(api, "+needle -2 hay")).toEqual(
      all.filter((text) => text !== "needle 2"),
    );
    expect(await messages(api, "needle", { logs: { level: { ge_: 30 } } })).toEqual(all.slice(3));
    expect(await messages(api, "needle", { logs: { timestamp: { before_: ago(1540) } } })).toEqual(
      all.slice(2),
    );
    expect(await messages(api, "needle nothing", { offset: 5 })).toEqual([]);
    expect(await messages(api, "nobodywritesthis")).toEqual([]);
  });

  test("finds lines at once that come late, that are new, and that are of a run", async () => {
    await using api = await openAtNoon(open);
    await writeOldLines(api);
    await keep(api);
    await api.post("/logs/", [
      aLine(ago(1500), "needle late", { flow_run_id: RUN }),
      aLine(ago(1), "needle new"),
      aLine(ago(-60), "needle to come"),
    ]);
    const all = ["needle to come", "needle new", "needle late"];
    expect(await messages(api, "needle")).toEqual(all);
    await keep(api);
    expect(await messages(api, "needle")).toEqual(all);
    expect(await messages(api, "needle", { logs: { flow_run_id: { any_: [RUN] } } })).toEqual([
      "needle late",
    ]);
  });
});

interface AnEvent {
  readonly said: string;
  readonly name?: string;
  readonly payload?: unknown;
}

const anEvent = (occurred: string, { said, name = "thing.changed", payload = {} }: AnEvent) => ({
  id: randomUUID(),
  occurred,
  event: name,
  resource: { "prefect.resource.id": `thing.${said.length}`, said },
  related: [{ "prefect.resource.id": "flow.nightly", "prefect.resource.role": "flow" }],
  payload,
});

async function writeOldEvents(api: TestApi, count = 900): Promise<void> {
  for (let first = 0; first < count; first += 300)
    await api.post(
      "/events",
      Array.from({ length: 300 }, (_, n) =>
        anEvent(ago(30 + first + n), { said: `so ${first + n}` }),
      ),
    );
}

interface EventPage {
  readonly events: readonly { readonly resource: { readonly said: string } }[];
  readonly total: number;
  readonly next_page: string | null;
}

async function eventsFound(api: TestApi, query: string, more: object = {}): Promise<string[]> {
  const filter = { text: { query }, ...more };
  const found: string[] = [];
  let page = (await api.post("/events/filter", { filter, limit: 2 })).body as EventPage;
  const { total } = page;
  for (;;) {
    found.push(...page.events.map(({ resource }) => resource.said));
    if (page.next_page === null) break;
    page = (await api.get(page.next_page.slice(page.next_page.indexOf("/events"))))
      .body as EventPage;
  }
  expect(total).toBe(found.length);
  return found;
}

describeEachApi("a search for rare words in events", (open) => {
  test("finds them in names, labels and payloads, page by page", async () => {
    await using api = await openAtNoon(open);
    await writeOldEvents(api);
    await api.post("/events", [
      anEvent(ago(100.5), { said: "a needle" }),
      anEvent(ago(300.5), { said: "in its name", name: "needle.changed" }),
      anEvent(ago(500.5), { said: "in its payload", payload: { text: 'the "needle"\nof hay' } }),
      anEvent(ago(700.5), { said: "NEEDLE" }),
      anEvent(ago(0.5), { said: "needle, new" }),
    ]);
    await keep(api);
    const all = ["needle, new", "a needle", "in its name", "in its payload", "NEEDLE"];
    expect(await eventsFound(api, "needle")).toEqual(all);
    expect(await eventsFound(api, "needle", { order: "ASC" })).toEqual(all.toReversed());
    expect(await eventsFound(api, '"\\"needle\\"" nothing')).toEqual(["in its payload"]);
    expect(await eventsFound(api, "needle -changed")).toEqual([]);
    expect(await eventsFound(api, "+needle", { event: { name: ["needle.changed"] } })).toEqual([
      "in its name",
    ]);
    expect(await eventsFound(api, "needle", { resource: { id: ["thing.6"] } })).toEqual(["NEEDLE"]);
    await api.post("/events", [anEvent(ago(600.5), { said: "needle, late" })]);
    expect(await eventsFound(api, "needle")).toEqual([
      ...all.slice(0, 4),
      "needle, late",
      "NEEDLE",
    ]);
    const skipped = await api.post("/events/filter", {
      filter: { text: { query: "needle" } },
      limit: 2,
      offset: 3,
    });
    expect((skipped.body as EventPage).events.map(({ resource }) => resource.said)).toEqual([
      "in its payload",
      "needle, late",
    ]);
  });

  test("tells the same by blocks as without", { timeout: 120_000 }, async () => {
    await using api = await openAtNoon(open);
    await writeOldEvents(api);
    const text = fc.string({
      unit: fc.constantFrom(...Array.from("abcABCKİiıéÉ01-\"\\/%_ {}[]:,\n\t'ßςσ日😀")),
      minLength: 3,
      maxLength: 24,
    });
    const events = fc.sample(
      fc.record({
        said: text,
        payload: fc.dictionary(
          text,
          fc.oneof(text, fc.double(), fc.bigInt({ min: 0n, max: 9n }).map(Number)),
        ),
      }),
      150,
    );
    await api.post(
      "/events",
      events.map((event, n) => anEvent(ago(31.5 + 5 * n), event)),
    );
    await keep(api);
    const period = { since: ago(5000), until: ago(-60) };
    const queries = api.ctx.db.in(WORKSPACE);
    let skipping = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          which: fc.nat({ max: events.length - 1 }),
          place: fc.constantFrom("said", "payload"),
          from: fc.nat(30),
          length: fc.integer({ min: 3, max: 12 }),
          sign: fc.constantFrom("", "+", "-"),
          order: fc.constantFrom("ASC" as const, "DESC" as const),
        }),
        async ({ which, place, from, length, sign, order }) => {
          const event = events[which];
          const whole = place === "said" ? (event?.said ?? "") : JSON.stringify(event?.payload);
          const term = whole.slice(from % whole.length, (from % whole.length) + length);
          const filter = {
            text: { query: `${sign}"${term.replaceAll('"', '\\"')}" "so 77"` },
            order,
          };
          const stretches = findEventRanges(queries, { filter, period, rows: null });
          const selection = { filter, period, head: 1_000_000 };
          const request = { limit: 40, offset: 1, after: null };
          expect(await countEvents(queries, { ...selection, stretches })).toBe(
            await countEvents(queries, selection),
          );
          expect(await counts(queries, { ...selection, stretches }), term).toEqual(
            await counts(queries, selection),
          );
          const found = await findEventKeys(queries, { ...selection, stretches }, request);
          expect(found, term).toEqual(await findEventKeys(queries, selection, request));
          let count = 0;
          if (stretches !== null) for await (const _ of stretches.each()) count += 1;
          if (count > 1) skipping += 1;
        },
      ),
      { numRuns: rounds(10, 40) },
    );
    expect(skipping).toBeGreaterThan(rounds(0, 5));
  });

  test("takes in more than one pass does where it is behind", { timeout: 60_000 }, async () => {
    await using api = await openAtNoon(open);
    await writeOldEvents(api, 10_200);
    await createTextBlocksTick(api.ctx)(signal);
    const blocks = await api.ctx.db.exclusively((session) =>
      session.rows("select 1 from text_blocks"),
    );
    expect(blocks.length).toBe(Math.floor(10_200 / 64));
    expect(blocks.length).toBeGreaterThan(BLOCKS_PER_PASS);
  });

  test("notes late ones of one request together", async () => {
    await using api = await openAtNoon(open);
    await writeOldEvents(api);
    const notes = await api.ctx.db.exclusively((session) =>
      session.rows("select 1 from late_texts"),
    );
    expect(notes).toHaveLength(3);
  });

  test("reads what is left of the log by the index of time", async () => {
    await using api = await openAtNoon(open);
    await writeOldEvents(api);
    await api.post("/events", [anEvent(ago(600.5), { said: "needle" })]);
    await keep(api);
    const { db } = api.ctx;
    if (db.dialect.isRemote) await db.exclusively((session) => session.execute("analyze events"));
    const asked: Query[] = [];
    const real = db.in(WORKSPACE);
    const queries: Queries = {
      workspaceId: WORKSPACE,
      dialect: db.dialect,
      get: (statement, parameters) => real.get(statement, parameters),
      all: (statement, parameters) => real.all(statement, parameters),
      select: async (query) => {
        asked.push(query);
        return real.select(query);
      },
    };
    const filter = { text: { query: "needle" } };
    const period = { since: ago(5000), until: ago(-60) };
    const stretches = findEventRanges(queries, { filter, period, rows: null });
    const found = await findEventKeys(
      queries,
      { filter, period, head: 1_000_000, stretches },
      { limit: 40, after: null },
    );
    expect(found).toHaveLength(1);
    const reads = asked.filter(({ sql }) => !sql.includes("text_blocks"));
    expect(reads.length).toBeGreaterThan(1);
    const explain = db.dialect.isRemote ? "explain (costs off)" : "explain query plan";
    for (const { sql, values } of reads) {
      const lines = await db.exclusively((session) =>
        session.rows<Readonly<Record<string, unknown>>>(`${explain} ${withValues(sql, values)}`),
      );
      const text = lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
      expect(text).toMatch(/events_by_time/);
      expect(text).toMatch(
        /occurred>\? AND occurred<\?|Index Cond: .*occurred >= .* AND .*occurred <= /s,
      );
    }
  });
});

/** For a session, which takes no values. */
const withValues = (sql: string, values: readonly unknown[]): string =>
  sql.replaceAll(/[?$](\d+)/g, (_, n: string) => {
    const value = values[Number(n) - 1];
    return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
