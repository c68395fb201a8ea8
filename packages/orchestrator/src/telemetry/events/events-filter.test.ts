import type { EventFilter } from "@orchestrator/contract";
import { followLog } from "@orchestrator/kernel/events";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { eventMatcher } from "./event-match.rules.ts";
import { readPlace, writePlace } from "./events-page.rules.ts";

type Body = Readonly<Record<string, unknown>>;

interface Page {
  readonly events: readonly { readonly id: string; readonly event: string }[];
  readonly total: number;
  readonly next_page: string | null;
}

const NOW = "2026-03-10T12:00:00.000000Z";
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const at = (second: number): string =>
  `2026-03-10T11:00:${String(second).padStart(2, "0")}.000000Z`;

function anEvent(n: number, given: Body = {}): Body {
  return {
    id: uuid(n),
    occurred: at(n),
    event: `order.step-${n}`,
    resource: { "prefect.resource.id": `order.${n}` },
    ...given,
  };
}

async function ask(api: TestApi, filter: Body = {}, more: Body = {}): Promise<Page> {
  const answer = await api.post("/events/filter", { filter, ...more });
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

/** The page behind an address. */
async function follow(api: TestApi, address: string | null): Promise<Page> {
  const { pathname, search } = new URL(address ?? "");
  const answer = await api.get(pathname.replace("/api", "") + search);
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

const numbers = ({ events }: Page): number[] => events.map(({ id }) => Number(id.slice(-12)));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const clock = () => manualClock(NOW);

describeEachApi("events by filter", (open) => {
  test("come the newest first, whole, and as soon as they were taken", async () => {
    await using api = await open({ clock: clock() });
    const related = [{ "prefect.resource.id": "flow.1", "prefect.resource.role": "flow", x: "y" }];
    await api.post("/events", [
      anEvent(1, { related, payload: { a: [1, null] }, follows: uuid(9) }),
      anEvent(2),
    ]);
    const page = await ask(api);
    expect(numbers(page)).toEqual([2, 1]);
    expect(page).toMatchObject({ total: 2, next_page: null });
    expect(page.events[1]).toEqual({
      ...anEvent(1),
      related,
      payload: { a: [1, null] },
      follows: uuid(9),
      received: NOW,
    });
  });

  test("need no filter, and have a limit between 0 and 200", async () => {
    await using api = await open({ clock: clock() });
    await api.post(
      "/events",
      range(1, 59).map((n) => anEvent(n)),
    );
    expect((await api.post("/events/filter", {})).body).toMatchObject({ total: 59 });
    expect((await ask(api)).events).toHaveLength(50);
    expect((await ask(api, {}, { limit: 200 })).events).toHaveLength(59);
    expect(await ask(api, {}, { limit: 0 })).toEqual({ events: [], total: 59, next_page: null });
    expect((await api.post("/events/filter", { limit: 201 })).status).toBe(422);
    expect((await api.post("/events/filter", { limit: -1 })).status).toBe(422);
  });

  test("can be paged through by raising the offset, and further from any page", async () => {
    await using api = await open({ clock: clock() });
    await api.post(
      "/events",
      range(1, 7).map((n) => anEvent(n)),
    );
    const pages = [0, 3, 6, 9].map(async (offset) =>
      numbers(await ask(api, {}, { limit: 3, offset })),
    );
    expect(await Promise.all(pages)).toEqual([[7, 6, 5], [4, 3, 2], [1], []]);
    const page = await ask(api, { order: "ASC" }, { limit: 2, offset: 2 });
    expect(page).toMatchObject({ total: 7 });
    expect([numbers(page), numbers(await follow(api, page.next_page))]).toEqual([
      [3, 4],
      [5, 6],
    ]);
    const distinct = { resource: { distinct: true } };
    expect(numbers(await ask(api, distinct, { limit: 3, offset: 5 }))).toEqual([2, 1]);
    expect((await api.post("/events/filter", { offset: -1 })).status).toBe(422);
  });

  test("are of the last half year up to now when no time is given", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [
      anEvent(1, { occurred: "2025-09-10T23:59:59Z" }),
      anEvent(2, { occurred: "2025-09-11T00:00:00Z" }),
      anEvent(3, { occurred: "2026-03-10T12:00:30Z" }),
      anEvent(4, { occurred: "2026-03-11T12:00:00Z" }),
    ]);
    expect(numbers(await ask(api))).toEqual([3, 2]);
    expect(numbers(await ask(api, { occurred: { since_: "2025-01-01T00:00:00Z" } }))).toEqual([
      3, 2, 1,
    ]);
    expect(numbers(await ask(api, { occurred: { until: "2027-01-01T00:00:00Z" } }))).toEqual([
      4, 3, 2,
    ]);
  });

  test("are only the first of each resource when that is asked for", async () => {
    await using api = await open({ clock: clock() });
    const about = (n: number, id: string) =>
      anEvent(n, { resource: { "prefect.resource.id": id } });
    await api.post("/events", [about(1, "a"), about(2, "b"), about(3, "a"), about(4, "c")]);
    const resource = { distinct: true };
    expect(await ask(api, { resource })).toMatchObject({ total: 3 });
    expect(numbers(await ask(api, { resource }))).toEqual([4, 3, 2]);
    expect(numbers(await ask(api, { resource, order: "ASC" }))).toEqual([1, 2, 4]);
    const first = await ask(api, { resource, order: "ASC" }, { limit: 2 });
    await api.post("/events", [anEvent(5, { ...about(5, "c"), occurred: at(0) })]);
    expect(numbers(await follow(api, first.next_page))).toEqual([4]);
  });

  test("are refused for a key that is not known", async () => {
    await using api = await open();
    for (const filter of [
      { colour: "red" },
      { occurred: { after: NOW } },
      { resource: { role: ["x"] } },
      { related: [{ id_prefix: ["x"] }] },
      { order: "UP" },
      { text: { query: "x".repeat(201) } },
      { resource: { labels: { x: Array(101).fill("y") } } },
      { resource: { labels: { x: "y".repeat(1001) } } },
    ])
      expect((await api.post("/events/filter", { filter })).status).toBe(422);
  });
});

describeEachApi("pages of events", (open) => {
  for (const order of ["ASC", "DESC"] as const)
    test(`neither skip nor repeat one while events arrive, ${order}`, async () => {
      await using api = await open({ clock: clock() });
      // Many of one moment: the place among them decides.
      await api.post(
        "/events",
        range(1, 40).map((n) => anEvent(n, { occurred: at(n >> 3) })),
      );
      const first = await ask(api, { order }, { limit: 7 });
      expect(new URL(first.next_page ?? "").pathname).toBe("/api/events/filter/next");
      const seen = numbers(first);
      let next = first.next_page;
      let arriving = 100;
      while (next !== null) {
        await api.post("/events", [
          anEvent(arriving, { occurred: at(3) }),
          anEvent(arriving + 1, { occurred: at(59) }),
        ]);
        arriving += 2;
        const page = await follow(api, next);
        expect(page.total).toBe(40);
        seen.push(...numbers(page));
        next = page.next_page;
      }
      const expected = range(1, 40);
      expect(seen).toEqual(order === "ASC" ? expected : expected.reverse());
    });

  test("end before they get too large", async () => {
    await using api = await open({ clock: clock() });
    for (const n of range(1, 8))
      await api.post("/events", [anEvent(n, { payload: { text: "x".repeat(1_400_000) } })]);
    const first = await ask(api, { order: "ASC" });
    expect(numbers(first)).toEqual([1, 2, 3, 4, 5]);
    expect(numbers(await follow(api, first.next_page))).toEqual([6, 7, 8]);
  });

  test("are refused for a token that is none", async () => {
    await using api = await open();
    for (const token of ["x", "", "e30", "WyJub25zZW5zZSJd"])
      expect((await api.get(`/events/filter/next?page-token=${token}`)).status).toBe(403);
    expect((await api.get("/events/filter/next")).status).toBe(422);
  });

  test("are refused for a place that cannot be, and empty for one behind all others", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [anEvent(1)]);
    const place = { filter: {}, limit: 5, total: 1, head: 1, occurred: NOW, position: 1 };
    const read = (given: Partial<typeof place>) =>
      api.get(`/events/filter/next?page-token=${writePlace({ ...place, ...given })}`);
    for (const wrong of [
      { head: 1e300 },
      { position: 1e300 },
      { position: 2 ** 53 },
      { total: 1e300 },
      { occurred: "soon" },
      { occurred: "\u0000" },
    ])
      expect(await read(wrong)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("first page") },
      });
    const last = { head: 2 ** 53 - 1, position: 2 ** 53 - 1 };
    expect((await read({ ...last, occurred: at(0) })).body).toMatchObject({ events: [] });
  });

  test("are found by what their payload says, quotation marks and all", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [
      anEvent(1, { payload: { says: 'not "found"', where: ["C:\\temp"] } }),
      anEvent(2, { payload: { says: "first line\nsecond line" } }),
    ]);
    const found = async (query: string) => numbers(await ask(api, { text: { query } }));
    expect(await found('"not \\"found\\""')).toEqual([1]);
    expect(await found("c:\\TEMP")).toEqual([1]);
    expect(await found('"line\nsecond"')).toEqual([2]);
    expect(await found('-"\\"found"')).toEqual([2]);
    expect(await found('"\\"says\\":"')).toEqual([2, 1]);
  });

  test("are refused when the filter would not fit into an address", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [anEvent(1), anEvent(2)]);
    const exclude_name = range(1, 1000).map((n) => `${n}-${Math.sin(n)}`);
    expect((await ask(api, { event: { exclude_name } })).events).toHaveLength(2);
    const answer = await api.post("/events/filter", {
      filter: { event: { exclude_name } },
      limit: 1,
    });
    expect(answer.status).toBe(422);
  });
});

test("a token holds where a list goes on", () => {
  const place = {
    filter: { text: { query: "ü" } },
    limit: 5,
    total: 9,
    head: 7,
    occurred: NOW,
    position: 3,
  };
  expect(readPlace(writePlace(place) ?? "")).toEqual(place);
});

const RESOURCES = [
  { "prefect.resource.id": "flow-run.1", "prefect.resource.name": "calm-cat", state: "RUNNING" },
  { "prefect.resource.id": "flow-run.2", state: "COMPLETED", 'odd "key" [x]': "a[b]c" },
  { "orchestrator.resource.id": "flow.1", state: "100%_\\done", emoji: "a😀c" },
  { "prefect.resource.id": "deployment.1", name: "Nightly" },
];
const RELATED: readonly (readonly Body[])[] = [
  [],
  [{ "prefect.resource.id": "flow.1", "prefect.resource.role": "flow", team: "core" }],
  [
    { "prefect.resource.id": "flow.1", "prefect.resource.role": "creator" },
    { "orchestrator.resource.id": "tag.x", "orchestrator.resource.role": "tag", team: "edge" },
  ],
  [{ "prefect.resource.id": "flow-run.1", "prefect.resource.role": "flow-run", team: "Core" }],
];
const PAYLOADS = [
  {},
  { note: 'Lost "Connection" to db', n: 1 },
  { list: ["Alpha", { b: "50%" }] },
  { note: "Größe: [Über]" },
];
const NAMES = ["prefect.flow-run.Running", "prefect.flow-run.Failed", "order.x", "order", "ordeß"];

/** Every kind of event with every kind of company. */
const SAMPLES = range(1, 59).map((n) =>
  anEvent(n, {
    occurred: `2026-03-${n % 2 === 0 ? "09" : "10"}T10:00:${String(n).padStart(2, "0")}.000000Z`,
    event: NAMES[n % NAMES.length],
    resource: RESOURCES[n % RESOURCES.length],
    related: RELATED[(n * 7 + (n >> 2)) % RELATED.length],
    payload: PAYLOADS[n % PAYLOADS.length],
  }),
);

const FILTERS: readonly EventFilter[] = [
  {},
  { occurred: { since: "2026-03-10T00:00:00.000000Z" } },
  { occurred: { until_: "2026-03-09T10:00:10.000000Z" } },
  {
    occurred: {
      since: SAMPLES[4]?.["occurred"] as string,
      until: SAMPLES[4]?.["occurred"] as string,
    },
  },
  { event: { prefix: ["prefect.flow-run."] } },
  { event: { prefix: ["prefect.", "order."] } },
  { event: { prefix: ["orde"] } },
  { event: { prefix: [""] } },
  { event: { prefix: [] } },
  { event: { prefix: ["nothing"] } },
  { event: { prefix: ["order"], name: ["order", "prefect.flow-run.Failed"] } },
  { event: { name: ["order"] } },
  { event: { name: ["order", "order.x"] } },
  { event: { exclude_prefix: ["prefect.", "ordeß"] } },
  { event: { exclude_prefix: [""] } },
  { event: { exclude_name: ["order", "order.x"] } },
  { event: { prefix: ["prefect"], exclude_name: ["prefect.flow-run.Failed"] } },
  { resource: { id: ["flow-run.1"] } },
  { resource: { id: ["flow-run.1", "flow.1"] } },
  { resource: { id_prefix: ["flow-run.", "dep"] } },
  { resource: { id_prefix: ["flow"], id: ["flow.1", "deployment.1"] } },
  { resource: { labels: { state: "RUNNING" } } },
  { resource: { labels: { state: ["RUN*", "*ED"] } } },
  { resource: { labels: { state: "!RUNNING" } } },
  { resource: { labels: { state: ["!RUNNING", "RUNNING"] } } },
  { resource: { labels: { state: "*" } } },
  { resource: { labels: { state: "?UNNIN?", "prefect.resource.name": "calm-*" } } },
  { resource: { labels: { state: "running" } } },
  { resource: { labels: { state: "100%_\\done" } } },
  { resource: { labels: { state: "1??%_\\*" } } },
  { resource: { labels: { state: "!*[E]*" } } },
  { resource: { labels: { 'odd "key" [x]': "a[b]c" } } },
  { resource: { labels: { 'odd "key" [x]': "a[[]b]c" } } },
  { resource: { labels: { emoji: "a?c" } } },
  { resource: { labels: { emoji: "a??c" } } },
  { resource: { labels: { state: [] } } },
  { resource: { labels: {} } },
  { resource: { labels: { missing: "!x" } } },
  { related: {} },
  { related: { id: ["flow.1"] } },
  { related: { id: ["flow.1"], role: ["flow"] } },
  { related: { id: ["flow.1", "tag.x"], role: ["tag", "creator"] } },
  { related: { id: ["tag.x"], role: ["flow"] } },
  { related: { role: ["tag"] } },
  { related: [{ role: ["tag"] }, { id: ["flow.1"] }] },
  { related: { resources_in_roles: [["flow.1", "creator"]] } },
  {
    related: {
      resources_in_roles: [
        ["flow.1", "tag"],
        ["flow-run.1", "flow-run"],
      ],
    },
  },
  { related: { resources_in_roles: [["flow.1", "tag"]] } },
  { related: { labels: { team: "co?e" } } },
  { related: { labels: { team: "!core" } } },
  { related: { labels: {} } },
  { related: { id: ["flow.1"], labels: { team: "*" } } },
  { related: { role: ["tag", "flow"], labels: { team: "e*" } } },
  { related: [] },
  { any_resource: {} },
  { any_resource: { id: ["flow.1"] } },
  { any_resource: { id: ["flow-run.1", "tag.x"] } },
  { any_resource: { id_prefix: ["flow-run"] } },
  { any_resource: { id_prefix: ["tag.", "dep"] } },
  { any_resource: { id_prefix: [""] } },
  { any_resource: { labels: { team: "core" } } },
  { any_resource: { id: ["flow.1"], labels: { team: "core" } } },
  { any_resource: { id_prefix: ["flow"], labels: { state: "*" } } },
  { any_resource: [{ id: ["flow.1"] }, { id: ["flow-run.1"] }] },
  { id: { id: [uuid(3), uuid(4), uuid(999)] } },
  { id: { id: [] } },
  { text: { query: "connection" } },
  { text: { query: "CORE" } },
  { text: { query: "alpha nightly" } },
  { text: { query: "running -core" } },
  { text: { query: '+core +"lost"' } },
  { text: { query: '"50%"' } },
  { text: { query: "5_%" } },
  { text: { query: "ORDEß" } },
  { text: { query: '"GRÖßE: [üb"' } },
  { text: { query: "-über" } },
  { text: { query: "gr?ße" } },
  { text: { query: '"lost \\"connection\\""' } },
  { text: { query: '"\\"n\\":1"' } },
  { text: { query: '-"\\"b\\""' } },
  { text: { query: '!"list"' } },
  { text: { query: "FLOW-RUN.2" } },
  { text: { query: '"TO DB" "größe nothing"' } },
  { text: { query: "n" } },
  { text: { query: "+t -e" } },
  // What stands in an event, but not in its texts: names of labels, ids and times.
  { text: { query: "emoji" } },
  { text: { query: "-resource.id" } },
  { text: { query: "2026-03" } },
  { text: { query: uuid(3) } },
  { text: { query: "-" } },
  {
    event: { prefix: ["prefect."] },
    resource: { id_prefix: ["flow"] },
    related: { role: ["flow", "tag"] },
    text: { query: "-nothing" },
    occurred: { since: "2026-03-09T00:00:00.000000Z" },
  },
];

describeEachApi("a filter", (open) => {
  test("means the same whether events are looked for or listened to", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", SAMPLES);
    const logged = await followLog(api.ctx.db).next(0, 1000);
    for (const filter of FILTERS) {
      const matches = eventMatcher(filter);
      const expected = logged.filter((event) => matches(event)).map(({ id }) => id);
      const page = await ask(api, filter as Body, { limit: 200 });
      expect([filter, page.events.map(({ id }) => id).sort()]).toEqual([filter, expected.sort()]);
      expect([filter, page.total]).toEqual([filter, expected.length]);
    }
  });

  test("means the same where very many names and resources begin alike", async () => {
    await using api = await open({ clock: clock() });
    const many = range(1, 300).map((n) =>
      anEvent(n, {
        occurred: at(n % 60),
        event: `order.${n}`,
        resource: { "prefect.resource.id": `thing.${n}` },
        related: [{ "prefect.resource.id": `other.${n}`, "prefect.resource.role": "x" }],
      }),
    );
    await api.post("/events", [...many, anEvent(999, { occurred: at(1) })]);
    for (const filter of [
      { event: { prefix: ["order.1", "order.2", "order.3"] } },
      { resource: { id_prefix: ["thing."] } },
      { any_resource: { id_prefix: ["other."] } },
      { any_resource: { id_prefix: ["thing."], labels: {} } },
    ]) {
      const count = many.filter(
        ({ event }) => !("event" in filter) || /\.[123]/.test(String(event)),
      );
      expect([filter, (await ask(api, filter)).total]).toEqual([filter, count.length]);
    }
  });
});

describeEachApi("counting events", (open) => {
  const count = async (api: TestApi, by: string, body: Body): Promise<unknown> => {
    const answer = await api.post(`/events/count-by/${by}`, body);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const period = { since: "2026-03-09T22:30:00Z", until: "2026-03-10T01:10:00Z" };

  test("by time fills every interval, aligned to the clock", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [
      anEvent(1, { occurred: "2026-03-09T22:10:00Z" }),
      anEvent(2, { occurred: "2026-03-09T22:30:00Z" }),
      anEvent(3, { occurred: "2026-03-09T22:59:59.999999Z" }),
      anEvent(4, { occurred: "2026-03-10T01:00:00Z" }),
    ]);
    const hour = (n: number, start: string, end: string, events: number) => ({
      value: String(n),
      label: `${start}:00.000000Z`,
      count: events,
      start_time: `${start}:00.000000Z`,
      end_time: `${end}:59.999999Z`,
    });
    for (const by of ["day", "time"])
      expect(await count(api, by, { filter: { occurred: period }, time_unit: "hour" })).toEqual([
        hour(0, "2026-03-09T22:00", "2026-03-09T22:59", 2),
        hour(1, "2026-03-09T23:00", "2026-03-09T23:59", 0),
        hour(2, "2026-03-10T00:00", "2026-03-10T00:59", 0),
        hour(3, "2026-03-10T01:00", "2026-03-10T01:59", 1),
      ]);
    const weeks = await count(api, "time", {
      filter: { occurred: { since: "2026-03-01T00:00:00Z", until: "2027-01-01T00:00:00Z" } },
      time_unit: "week",
    });
    expect(weeks).toMatchObject([
      { label: "2026-02-23T00:00:00.000000Z", count: 0 },
      { label: "2026-03-02T00:00:00.000000Z", count: 0 },
      { label: "2026-03-09T00:00:00.000000Z", count: 4 },
    ]);
  });

  test("by time takes parts of a unit, and half a year of days when nothing is said", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [anEvent(1)]);
    const quarters = { filter: { occurred: period }, time_unit: "hour", time_interval: 0.25 };
    expect(await count(api, "time", quarters)).toHaveLength(11);
    const days = (await count(api, "day", { filter: {} })) as readonly Body[];
    expect(days).toHaveLength(181);
    expect(days.at(-1)).toMatchObject({ count: 1, label: "2026-03-10T00:00:00.000000Z" });
  });

  test("by time reaches back to the first year, in intervals of up to ten years", async () => {
    await using api = await open({ clock: clock() });
    await api.post("/events", [anEvent(1, { occurred: "0001-01-01T00:00:00Z" }), anEvent(2)]);
    const occurred = { since: "0001-01-01T00:00:00Z", until: "9999-12-31T23:59:59.999999Z" };
    const long = { filter: { occurred }, time_interval: 3653 };
    const decades = (await count(api, "day", long)) as readonly Body[];
    expect(decades).toHaveLength(204);
    expect(decades[0]).toMatchObject({ count: 1, start_time: "0001-01-01T00:00:00.000000Z" });
    expect(decades.at(-1)).toMatchObject({ count: 1 });
    for (const [time_unit, time_interval] of [
      ["week", 1_000_000],
      ["day", 3654],
    ])
      expect(
        await api.post("/events/count-by/day", { filter: { occurred }, time_unit, time_interval }),
      ).toMatchObject({ status: 422, body: { detail: expect.stringContaining("ten years") } });
  });

  test("by time has no interval that begins where the period ends", async () => {
    await using api = await open({ clock: clock() });
    const occurred = { since: "2026-03-09T22:00:00Z", until: "2026-03-10T01:00:00Z" };
    const hours = await count(api, "time", { filter: { occurred }, time_unit: "hour" });
    expect((hours as readonly Body[]).map(({ start_time }) => start_time)).toEqual([
      "2026-03-09T22:00:00.000000Z",
      "2026-03-09T23:00:00.000000Z",
      "2026-03-10T00:00:00.000000Z",
    ]);
  });

  test("by name and by resource begins with the most frequent", async () => {
    await using api = await open({ clock: clock() });
    const about = (n: number, event: string, resource: Body) => anEvent(n, { event, resource });
    await api.post("/events", [
      about(1, "b", { "prefect.resource.id": "x", "prefect.resource.name": "old" }),
      about(2, "c", { "prefect.resource.id": "x", "prefect.resource.name": "new" }),
      about(3, "a", { "prefect.resource.id": "y", "prefect.name": "other" }),
      about(4, "c", { "prefect.resource.id": "z" }),
    ]);
    expect(await count(api, "event", { filter: {} })).toEqual([
      { value: "c", label: "c", count: 2, start_time: at(2), end_time: at(4) },
      { value: "a", label: "a", count: 1, start_time: at(3), end_time: at(3) },
      { value: "b", label: "b", count: 1, start_time: at(1), end_time: at(1) },
    ]);
    expect(await count(api, "resource", { filter: {} })).toMatchObject([
      { value: "x", label: "new", count: 2, start_time: at(1), end_time: at(2) },
      { value: "y", label: "other", count: 1 },
      { value: "z", label: "z", count: 1 },
    ]);
    expect(await count(api, "event", { filter: { resource: { id: ["y"] } } })).toHaveLength(1);
  });

  test("is refused without a filter, for more than a thousand intervals, and by anything else", async () => {
    await using api = await open({ clock: clock() });
    const seconds = { filter: {}, time_unit: "second" };
    for (const by of ["day", "event"])
      expect(await api.post(`/events/count-by/${by}`, seconds)).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining("1000") },
      });
    expect((await api.post("/events/count-by/day", {})).status).toBe(422);
    expect((await api.post("/events/count-by/day", { filter: {}, time_interval: 0 })).status).toBe(
      422,
    );
    expect(await api.post("/events/count-by/colour", { filter: {} })).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          {
            type: "enum",
            loc: ["path", "countable"],
            msg: "Input should be 'day', 'time', 'event' or 'resource'",
            input: "colour",
          },
        ],
      },
    });
  });
});
