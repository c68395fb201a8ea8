import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { fillDueSchedules } from "../scheduler/scheduler.service.ts";

const { signal } = new AbortController();
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface Schedule {
  readonly id: string;
  readonly slug: string | null;
  readonly schedule: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

async function aDeployment(api: TestApi, schedules: readonly object[] = []): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const { status, body } = await api.post("/deployments/", { name: "nightly", flow_id, schedules });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { id: string }).id;
}

const list = async (api: TestApi, id: string) =>
  (await api.get(`/deployments/${id}/schedules`)).body as Schedule[];
const slugs = async (api: TestApi, id: string) =>
  (await list(api, id)).map(({ slug }) => slug ?? "").sort();
const countRuns = async (api: TestApi, id: string) =>
  (await api.post("/flow_runs/count", { deployments: { id: { any_: [id] } } })).body;

const START = "2026-01-01T10:00:00.000000Z";
const DAILY = { cron: "0 9 * * *", timezone: "Europe/Paris" };

describeEachApi("schedules", (open) => {
  test("are stored with every key of their kind", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const answer = await api.post(`/deployments/${id}/schedules`, [
      { schedule: { cron: "0 9 * * *" } },
      {
        schedule: { interval: "PT1H", anchor_date: "2026-01-01 10:00:00" },
        slug: "hourly",
        catchup: "latest",
        overlap: "skip",
        jitter_seconds: 30,
      },
      {
        schedule: { rrule: "FREQ=DAILY;COUNT=3" },
        active: false,
        max_scheduled_runs: 5,
        parameters: { a: 1 },
      },
    ]);
    expect(answer.status).toBe(201);
    const created = answer.body as Schedule[];
    expect(created.map(({ schedule }) => Object.keys(schedule)[0])).toEqual([
      "cron",
      "interval",
      "rrule",
    ]);
    const bySchedule = (key: string) => created.find(({ schedule }) => key in schedule);
    expect(bySchedule("cron")).toMatchObject({
      deployment_id: id,
      schedule: { cron: "0 9 * * *", timezone: null, day_or: true },
      active: true,
      max_scheduled_runs: null,
      parameters: {},
      slug: null,
      catchup: "none",
      overlap: "allow",
      jitter_seconds: 0,
    });
    expect(bySchedule("interval")).toMatchObject({
      schedule: { interval: 3600, anchor_date: "2026-01-01T10:00:00.000000Z", timezone: "UTC" },
      slug: "hourly",
      catchup: "latest",
      overlap: "skip",
      jitter_seconds: 30,
    });
    expect(bySchedule("rrule")).toMatchObject({
      schedule: { rrule: "DTSTART:20200101T000000\nFREQ=DAILY;COUNT=3", timezone: "UTC" },
      active: false,
      max_scheduled_runs: 5,
      parameters: { a: 1 },
    });
    expect(await list(api, id)).toHaveLength(3);
  });

  test.each([
    [{ cron: "* * * *" }, "cron"],
    [{ cron: "R R * * *" }, "cron"],
    [{ cron: "* * * * *", timezone: "Europe/Pariss" }, "timezone"],
    [{ cron: "* * * * *", interval: 5 }, null],
    [{ cron: "* * * * *", anchor_date: null }, "anchor_date"],
    [{ interval: 60, rrule: "FREQ=DAILY" }, null],
    [{ rrule: "FREQ=DAILY;BYHOUR=99" }, "rrule"],
    [{ rrule: "DTSTART:20240101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20240105T000000" }, "rrule"],
    [{ rrule: "DTSTART:20240101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101T000000Z" }, "rrule"],
    [{ timezone: "UTC" }, null],
  ])("%j is refused with what is wrong and where", async (schedule, key) => {
    await using api = await open();
    const id = await aDeployment(api);
    const answer = await api.post(`/deployments/${id}/schedules`, [
      { schedule: DAILY },
      { schedule },
    ]);
    const loc = ["body", 1, "schedule", ...(key === null ? [] : [key])];
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc }] } });
    expect(await list(api, id)).toEqual([]);
  });

  test.each(
    [
      [{ interval: 0.999 }, "interval"],
      [{ interval: "PT0.5S" }, "interval"],
      [{ cron: "0 0 30 2 *" }, "cron"],
      [{ rrule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" }, "rrule"],
      [{ rrule: "DTSTART:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20251231T000000" }, "rrule"],
      [{ rrule: "RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY" }, "rrule"],
    ].flatMap(([schedule, key]) =>
      (["orchestrator", "prefect"] as const).map((dialect) => ({ schedule, key, dialect })),
    ),
  )("that are too fast or never occur are refused wherever one is sent: %j", async (given) => {
    const { schedule, key, dialect } = given;
    await using api = await open({ dialect });
    const id = await aDeployment(api, [{ schedule: DAILY, slug: "a" }]);
    const before = await list(api, id);
    const { flow_id } = (await api.get(`/deployments/${id}`)).body as { flow_id: string };
    const refused = async (answer: ReturnType<TestApi["post"]>, ...place: (string | number)[]) =>
      expect(await answer).toMatchObject({
        status: 422,
        body: { exception_detail: [{ loc: ["body", ...place, "schedule", key] }] },
      });
    const path = `/deployments/${id}`;
    const schedules = [{ schedule, slug: "a" }];
    await refused(api.post("/deployments/", { name: "new", flow_id, schedules }), "schedules", 0);
    await refused(api.patch(path, { schedules }), "schedules", 0);
    await refused(api.post(`${path}/schedules/preview`, { schedules }), "schedules", 0);
    await refused(api.post(`${path}/schedules`, [{ schedule }]), 0);
    await refused(api.post(`${path}/schedule`, { schedule }));
    await refused(api.patch(`${path}/schedules/${before[0]?.id}`, { schedule }));
    expect(await list(api, id)).toEqual(before);
  });

  test.each([
    { interval: 1, anchor_date: START, timezone: "UTC" },
    { cron: "0 0 29 2 *", timezone: null, day_or: true },
    { rrule: "DTSTART:20200101T000000\nRRULE:FREQ=DAILY;UNTIL=20200103T000000", timezone: "UTC" },
  ])("that occur seldom, every second or in the past only are stored: %j", async (schedule) => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule }]);
    expect(await list(api, id)).toMatchObject([{ schedule }]);
  });

  test.each([
    { rrule: "FREQ=DAILY;UNTIL=20300101T000000Z", timezone: "UTC" },
    { rrule: "FREQ=DAILY;UNTIL=20300101T000000Z", timezone: "Europe/Paris" },
    { rrule: "DTSTART;TZID=America/New_York:20240101T090000\nRRULE:FREQ=DAILY", timezone: "UTC" },
  ])("%j is stored as it was sent, and makes runs", async (schedule) => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule }]);
    expect(await list(api, id)).toMatchObject([{ schedule }]);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
  });

  test.each([
    [{ cron: "0 9 * * *" }, null],
    [{ interval: 3600 }, "UTC"],
    [{ rrule: "FREQ=DAILY" }, "UTC"],
  ])("%j with an empty time zone has none", async (schedule, timezone) => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule: { ...schedule, timezone: "" } }]);
    expect(await list(api, id)).toMatchObject([{ schedule: { timezone } }]);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
  });

  test("that the established clients cannot read are refused in their dialect only", async () => {
    const unreadable = { schedule: { cron: "0 0 * * 5L" } };
    await using ours = await open();
    await aDeployment(ours, [unreadable]);
    await using theirs = await open({ dialect: "prefect" });
    const id = await aDeployment(theirs, [{ schedule: { cron: "0 0 * * L5" }, slug: "last" }]);
    const loc = ["schedule", "cron"];
    const refused = async (answer: ReturnType<TestApi["post"]>, ...place: (string | number)[]) =>
      expect(await answer).toMatchObject({
        status: 422,
        body: { exception_detail: [{ loc: ["body", ...place, ...loc] }] },
      });
    await refused(theirs.post(`/deployments/${id}/schedules`, [unreadable]), 0);
    const [last] = await list(theirs, id);
    await refused(theirs.patch(`/deployments/${id}/schedules/${last?.id}`, unreadable));
    const change = { schedules: [{ ...unreadable, slug: "last" }] };
    await refused(theirs.patch(`/deployments/${id}`, change), "schedules", 0);
  });

  test("have slugs that no two of a deployment share", async () => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule: DAILY, slug: "a" }]);
    const again = await api.post(`/deployments/${id}/schedules`, [{ schedule: DAILY, slug: "a" }]);
    expect(again.status).toBe(409);
    const other = await aDeploymentNamed(api, "other");
    expect(
      await api.post(`/deployments/${other}/schedules`, [{ schedule: DAILY, slug: "a" }]),
    ).toMatchObject({ status: 201 });
    const [created] = (
      await api.post(`/deployments/${id}/schedules`, [{ schedule: DAILY, slug: "b" }])
    ).body as Schedule[];
    const renamed = await api.patch(`/deployments/${id}/schedules/${created?.id}`, { slug: "a" });
    expect(renamed.status).toBe(409);
  });

  test("have any text as a slug", async () => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule: DAILY, slug: "Every morning_1 / é" }]);
    const change = { slug: "Every morning_1 / é", active: false };
    await api.patch(`/deployments/${id}`, { schedules: [change] });
    expect(await list(api, id)).toMatchObject([change]);
    const tooLong = [{ schedule: DAILY, slug: "x".repeat(256) }];
    expect(await api.post(`/deployments/${id}/schedules`, tooLong)).toMatchObject({ status: 422 });
  });

  test("change one by one, and only their own runs are made anew", async () => {
    await using api = await open();
    const id = await aDeployment(api, [
      { schedule: DAILY, slug: "a", parameters: { x: 1 } },
      { schedule: { interval: 86_400 }, slug: "b" },
    ]);
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, id)).toBe(6);
    const a = (await list(api, id)).find(({ slug }) => slug === "a");
    const answer = await api.patch(`/deployments/${id}/schedules/${a?.id}`, {
      schedule: { cron: "0 10 * * *" },
      slug: null,
    });
    expect(answer.status).toBe(204);
    expect(await countRuns(api, id)).toBe(3);
    const [changed] = await list(api, id);
    expect(changed).toMatchObject({
      id: a?.id,
      slug: "a",
      parameters: { x: 1 },
      schedule: { cron: "0 10 * * *" },
    });
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
    await api.patch(`/deployments/${id}/schedules/${a?.id}`, { active: false });
    expect(await fillDueSchedules(api.ctx, signal)).toBe(0);
    expect(await countRuns(api, id)).toBe(3);
    expect(await api.delete(`/deployments/${id}/schedules/${a?.id}`)).toMatchObject({
      status: 204,
    });
    expect(await api.delete(`/deployments/${id}/schedules/${a?.id}`)).toMatchObject({
      status: 404,
    });
    expect(await slugs(api, id)).toEqual(["b"]);
  });

  test("of another deployment are not found", async () => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule: DAILY }]);
    const other = await aDeploymentNamed(api, "other");
    const [schedule] = await list(api, id);
    expect(await api.delete(`/deployments/${other}/schedules/${schedule?.id}`)).toMatchObject({
      status: 404,
    });
    expect(await api.patch(`/deployments/${id}/schedules/${UNKNOWN_ID}`, {})).toMatchObject({
      status: 404,
    });
  });
});

async function aDeploymentNamed(api: TestApi, name: string): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  return ((await api.post("/deployments/", { name, flow_id })).body as { id: string }).id;
}

describeEachApi("the schedules of an updated deployment", (open) => {
  const A = { schedule: DAILY, slug: "a" };
  const B = { schedule: { interval: 60 }, slug: "b" };

  test("are merged by slug: what is not mentioned stays", async () => {
    await using api = await open();
    const id = await aDeployment(api, [A, B]);
    const before = await list(api, id);
    const schedules = [
      { slug: "a", active: false },
      { slug: "c", schedule: { cron: "0 0 * * *" } },
    ];
    expect(await api.patch(`/deployments/${id}`, { schedules })).toMatchObject({ status: 204 });
    expect(await slugs(api, id)).toEqual(["a", "b", "c"]);
    const a = (await list(api, id)).find(({ slug }) => slug === "a");
    expect(a).toMatchObject({
      id: before.find(({ slug }) => slug === "a")?.id,
      active: false,
      schedule: DAILY,
    });
    await api.patch(`/deployments/${id}`, { schedules: [] });
    expect(await slugs(api, id)).toEqual(["a", "b", "c"]);
  });

  test("are renamed by what they replace, and may swap", async () => {
    await using api = await open();
    const id = await aDeployment(api, [A, B]);
    const idOf = async (wanted: string) =>
      (await list(api, id)).find(({ slug }) => slug === wanted)?.id;
    const [a, b] = [await idOf("a"), await idOf("b")];
    const swap = [
      { slug: "b", replaces: "a" },
      { slug: "a", replaces: "b" },
    ];
    expect(await api.patch(`/deployments/${id}`, { schedules: swap })).toMatchObject({
      status: 204,
    });
    expect([await idOf("a"), await idOf("b")]).toEqual([b, a]);
    await api.patch(`/deployments/${id}`, {
      schedules: [{ ...A, slug: "z", replaces: "unknown" }],
    });
    expect(await slugs(api, id)).toEqual(["a", "b", "z"]);
  });

  test.each([
    [[{ schedule: DAILY }], ["body", "schedules", 0, "slug"]],
    [[{ slug: "c" }], ["body", "schedules", 0, "schedule"]],
    [[{ slug: "b", replaces: "a" }], ["body", "schedules", 0, "slug"]],
    [
      [
        { slug: "c", replaces: "a" },
        { slug: "d", replaces: "a" },
      ],
      ["body", "schedules", 1, "replaces"],
    ],
    [
      [
        { slug: "c", schedule: DAILY },
        { slug: "c", schedule: DAILY },
      ],
      ["body", "schedules", 1, "slug"],
    ],
  ])("refuse %j", async (schedules, loc) => {
    await using api = await open();
    const id = await aDeployment(api, [A, B]);
    const answer = await api.patch(`/deployments/${id}`, { schedules });
    expect(answer).toMatchObject({ status: 422, body: { exception_detail: [{ loc }] } });
    expect(await slugs(api, id)).toEqual(["a", "b"]);
  });

  test("are replaced when one of them has no slug", async () => {
    await using api = await open();
    const id = await aDeployment(api, [A, { schedule: { interval: 60 } }]);
    await api.patch(`/deployments/${id}`, {
      schedules: [{ schedule: DAILY, active: null }, { active: true }],
    });
    expect(await list(api, id)).toMatchObject([{ schedule: DAILY, active: true }]);
    await api.patch(`/deployments/${id}`, { schedules: [] });
    expect(await list(api, id)).toEqual([]);
  });

  test("stay who they are where a list that replaces them says the same", async () => {
    await using api = await open({ dialect: "prefect" });
    const one = { schedule: DAILY, parameters: { part: 1 }, overlap: "skip" };
    const two = { schedule: DAILY, parameters: { part: 2 } };
    const id = await aDeployment(api, [one, two]);
    const idOf = async (part: number) =>
      (await list(api, id)).find(({ parameters }) => (parameters as { part: number }).part === part)
        ?.id;
    const [first, second] = [await idOf(1), await idOf(2)];
    const parts = [{ ...two, active: false, jitter_seconds: 60 }, one, one];
    await api.patch(`/deployments/${id}`, { schedules: parts });
    const after = await list(api, id);
    expect(after).toHaveLength(3);
    expect(after.find((each) => each.id === second)).toMatchObject({
      parameters: { part: 2 },
      active: false,
      jitter_seconds: 60,
    });
    const { flow_id } = (await api.get(`/deployments/${id}`)).body as { flow_id: string };
    await api.post("/deployments/", { name: "nightly", flow_id, schedules: [two, one] });
    expect([await idOf(1), await idOf(2)]).toEqual([first, second]);
    expect(await list(api, id)).toHaveLength(2);
    expect((await list(api, id)).find((each) => each.id === second)).toMatchObject({
      active: true,
      jitter_seconds: 0,
    });
  });

  test("that are said again do not run a second time what has been claimed", async () => {
    await using api = await open();
    const schedules = [{ schedule: DAILY, parameters: { "\u00fc": [1.5, { b: null }] } }];
    const id = await aDeployment(api, schedules);
    await fillDueSchedules(api.ctx, signal);
    const { body } = await api.post("/flow_runs/filter", { sort: "EXPECTED_START_TIME_ASC" });
    const [claimed] = body as { id: string }[];
    await api.post(`/flow_runs/${claimed?.id}/set_state`, { state: { type: "PENDING" } });
    await api.patch(`/deployments/${id}`, { schedules, tags: ["new"] });
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, id)).toBe(3);
  });

  test("by an interval that names no beginning go on where a list that replaces them says the same", async () => {
    const clock = manualClock();
    for (const slug of [null, "hourly"]) {
      await using api = await open({ clock });
      const hourly = { schedule: { interval: 3600 }, slug };
      const id = await aDeployment(api, [hourly, { ...hourly, slug: slug && "other" }]);
      const before = await list(api, id);
      clock.advanceMs(30 * 60_000);
      const schedules = [hourly, { ...hourly, slug: slug && "other" }];
      await api.patch(`/deployments/${id}`, { schedules });
      expect(await list(api, id)).toEqual(before);
      const faster = { ...hourly, schedule: { interval: 1800 } };
      const anchored = { slug: slug && "other", schedule: { interval: 3600, anchor_date: START } };
      await api.patch(`/deployments/${id}`, { schedules: [faster, anchored] });
      const after = (await list(api, id)).map(({ schedule }) => schedule);
      expect(after).toHaveLength(2);
      expect(after).toContainEqual({ interval: 1800, anchor_date: clock.now(), timezone: "UTC" });
      expect(after).toContainEqual({ interval: 3600, anchor_date: START, timezone: "UTC" });
    }
  });

  test("by an interval that names no beginning go on where they alone are said again", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const schedule = { interval: 3600 };
    const id = await aDeployment(api, [{ schedule }]);
    const before = await list(api, id);
    clock.advanceMs(30 * 60_000);
    await api.post(`/deployments/${id}/schedule`, { schedule });
    await api.patch(`/deployments/${id}/schedules/${before[0]?.id}`, { schedule });
    expect(await list(api, id)).toEqual(before);
  });

  test("by a rule that names no beginning do not run a second time what has been claimed", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const schedules = [{ schedule: { rrule: "FREQ=MINUTELY;INTERVAL=5" } }];
    const id = await aDeployment(api, schedules);
    const before = await list(api, id);
    await fillDueSchedules(api.ctx, signal);
    const readRuns = async () =>
      (await api.post("/flow_runs/filter", { sort: "EXPECTED_START_TIME_ASC" })).body as {
        id: string;
        expected_start_time: string;
      }[];
    const claimed = (await readRuns()).at(-1);
    await api.post(`/flow_runs/${claimed?.id}/set_state`, { state: { type: "PENDING" } });
    clock.advanceMs(6 * 60_000);
    await api.patch(`/deployments/${id}`, { schedules, tags: ["new"] });
    await fillDueSchedules(api.ctx, signal);
    expect(await list(api, id)).toEqual(before);
    const times = (await readRuns()).map(({ expected_start_time: time }) => time);
    expect(new Set(times).size).toBe(times.length);
    for (const start of ["20200101T000100", "20990101T000000"]) {
      const begun = { rrule: `DTSTART:${start}\nFREQ=MINUTELY;INTERVAL=5` };
      await api.patch(`/deployments/${id}`, { schedules: [{ schedule: begun }] });
      await api.patch(`/deployments/${id}`, { schedules });
      const [after] = await list(api, id);
      expect(after?.schedule["rrule"]).toMatch(/^DTSTART:20260101T000500\n/);
    }
  });

  test("that are behind still lack their runs after a change of something else", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const hourly = { schedule: { cron: "0 * * * *" }, catchup: "all" };
    const id = await aDeployment(api, [hourly]);
    await fillDueSchedules(api.ctx, signal);
    const made = Number(await countRuns(api, id));
    clock.advanceMs(12 * 60 * 60_000);
    await api.patch(`/deployments/${id}`, { tags: ["new"] });
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, id)).toBe(12 + made);
    clock.advanceMs(12 * 60 * 60_000);
    await api.patch(`/deployments/${id}`, { schedules: [{ ...hourly, max_scheduled_runs: 3 }] });
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, id)).toBe(24 + 3);
  });

  test("catch up neither on a pause, nor on times of before they were changed", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const hourly = { schedule: { cron: "0 * * * *" }, catchup: "all", slug: "s" };
    const id = await aDeployment(api, [hourly]);
    const countOfPast = async () => {
      await fillDueSchedules(api.ctx, signal);
      const expected_start_time = { before_: clock.now() };
      return (await api.post("/flow_runs/count", { flow_runs: { expected_start_time } })).body;
    };
    const [schedule] = await list(api, id);
    const path = `/deployments/${id}/schedules/${schedule?.id}`;
    await api.patch(path, { active: false });
    clock.advanceMs(12 * 60 * 60_000);
    await api.patch(path, { active: true });
    expect(await countOfPast()).toBe(0);
    clock.advanceMs(12 * 60 * 60_000);
    await api.patch(path, { schedule: { cron: "30 * * * *" } });
    // Three were made ahead.
    expect(await countOfPast()).toBe(3);
    clock.advanceMs(12 * 60 * 60_000);
    await api.patch(path, { parameters: { a: 1 } });
    expect(await countOfPast()).toBe(3 + 12);
  });

  test("that could not be read any more with the beginning they are given are refused", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const rrule = `RDATE:${Array(405).fill("20300101T000000").join(",")}`;
    expect(rrule.length).toBeLessThan(6500);
    const answer = await api.post(`/deployments/${id}/schedules`, [{ schedule: { rrule } }]);
    expect(answer).toMatchObject({ status: 422 });
  });

  test.each([
    { start_time: "1600-01-01T00:00:00Z" },
    { start_time: "2300-01-01T00:00:00Z" },
    { min_time: 1e10 },
  ])("can be asked for runs as far away as %j", async (request) => {
    await using api = await open();
    const id = await aDeployment(api, [{ schedule: DAILY }]);
    const answer = await api.post(`/deployments/${id}/schedule`, { ...request, max_runs: 2 });
    expect(answer.status).toBe(200);
  });

  test("are five hundred at most, however they are given", async () => {
    await using api = await open();
    const many = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, at) => ({ schedule: DAILY, slug: `${prefix}${at}` }));
    const id = await aDeployment(api, many(450, "a"));
    const refused = await api.patch(`/deployments/${id}`, { schedules: many(51, "b") });
    expect(refused).toMatchObject({ status: 409 });
    expect(await api.post(`/deployments/${id}/schedules`, many(51, "b"))).toMatchObject({
      status: 409,
    });
    expect(await api.patch(`/deployments/${id}`, { schedules: many(501, "a") })).toMatchObject({
      status: 422,
    });
    await api.patch(`/deployments/${id}`, { schedules: many(500, "a") });
    expect(await list(api, id)).toHaveLength(500);
  });
});

describeEachApi("the single schedule of a deployment", (open) => {
  test("is set by its own operation, and is the only one then", async () => {
    await using api = await open();
    const id = await aDeployment(api, [
      { schedule: { interval: 60 } },
      { schedule: { interval: 90 } },
    ]);
    const answer = await api.post(`/deployments/${id}/schedule`, { schedule: DAILY });
    expect(answer).toMatchObject({ status: 200, body: null });
    const deployment = async () =>
      (await api.get(`/deployments/${id}`)).body as Record<string, unknown>;
    expect(await deployment()).toMatchObject({
      schedule: DAILY,
      schedules: [{ schedule: DAILY, active: true }],
    });
    const [kept] = await list(api, id);
    await api.post(`/deployments/${id}/schedule`, { schedule: { cron: "0 10 * * *" } });
    expect(await list(api, id)).toMatchObject([{ id: kept?.id, schedule: { cron: "0 10 * * *" } }]);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
    await api.patch(`/deployments/${id}`, { schedule: null });
    expect(await deployment()).toMatchObject({ schedule: null, schedules: [] });
    expect(await countRuns(api, id)).toBe(0);
  });

  test("is refused when it cannot be understood", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const answer = await api.post(`/deployments/${id}/schedule`, {
      schedule: { cron: "99 * * * *" },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "schedule", "cron"] }] },
    });
  });
});
