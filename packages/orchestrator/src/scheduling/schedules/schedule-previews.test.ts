import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { fillDueSchedules } from "../scheduler/scheduler.service.ts";

const { signal } = new AbortController();

async function aDeployment(api: TestApi, schedules: readonly object[] = []): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const { status, body } = await api.post("/deployments/", { name: "nightly", flow_id, schedules });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { id: string }).id;
}

const countRuns = async (api: TestApi, id: string) =>
  (await api.post("/flow_runs/count", { deployments: { id: { any_: [id] } } })).body;

const runIds = async (api: TestApi, id: string) => {
  const sort = "EXPECTED_START_TIME_ASC";
  const { body } = await api.post("/flow_runs/filter", {
    deployments: { id: { any_: [id] } },
    sort,
  });
  return (body as { id: string }[]).map((run) => run.id).sort();
};

describeEachApi("a preview of schedules", (open) => {
  test("shows the next times of those there are, and what a change would delete", async () => {
    await using api = await open();
    const id = await aDeployment(api, [
      { schedule: { cron: "0 9 * * *" }, slug: "a" },
      { schedule: { cron: "0 21 * * *" }, slug: "b" },
      { schedule: { cron: "* * * * *" }, slug: "c", active: false },
    ]);
    await fillDueSchedules(api.ctx, signal);
    const { status, body } = await api.post(`/deployments/${id}/schedules/preview`, { limit: 4 });
    const { times, deleted_runs } = body as {
      times: { time: string; slug: string }[];
      deleted_runs: number;
    };
    expect(status).toBe(200);
    expect(times).toHaveLength(4);
    expect(times.map(({ time }) => time)).toEqual(times.map(({ time }) => time).sort());
    expect(new Set(times.map(({ slug }) => slug))).toEqual(new Set(["a", "b"]));
    expect(deleted_runs).toBe(6);
    expect(await countRuns(api, id)).toBe(6);
  });

  test("shows a run that jitter still holds back", async () => {
    const clock = manualClock("2026-11-14T08:59:59.999Z");
    await using api = await open({ clock });
    const schedule = { cron: "* * * * *" };
    const id = await aDeployment(api, [{ schedule, jitter_seconds: 59 }]);
    clock.advanceMs(1);
    await fillDueSchedules(api.ctx, signal);
    const { body } = await api.post("/flow_runs/filter", {
      deployments: { id: { any_: [id] } },
      sort: "EXPECTED_START_TIME_ASC",
      limit: 1,
    });
    const [first] = body as { expected_start_time: string }[];
    const preview = await api.post(`/deployments/${id}/schedules/preview`, { limit: 1 });
    expect(preview.body).toMatchObject({ times: [{ time: first?.expected_start_time }] });
  });

  test("says of a list that changes nothing that it deletes nothing, and goes on from where they began", async () => {
    const clock = manualClock("2026-11-14T08:10:00.000Z");
    await using api = await open({ clock });
    const named = [
      { schedule: { interval: 3600 }, slug: "a" },
      { schedule: { cron: "0 9 * * *" }, slug: "b", jitter_seconds: 600 },
    ];
    const id = await aDeployment(api, named);
    await fillDueSchedules(api.ctx, signal);
    clock.advanceMs(20 * 60_000);
    const preview = async (schedules?: unknown) =>
      (await api.post(`/deployments/${id}/schedules/preview`, { schedules, limit: 5 })).body as {
        times: { time: string; schedule_id: string | null; slug: string | null }[];
        deleted_runs: number;
      };
    const before = await preview();
    expect(before.deleted_runs).toBe(await countRuns(api, id));
    const sameWithout = async (schedules: unknown) => {
      const said = await preview(schedules);
      const ids = await runIds(api, id);
      await api.patch(`/deployments/${id}`, { schedules });
      expect(await runIds(api, id)).toEqual(ids);
      return said;
    };
    const byTime = (times: readonly { time: string }[]) => times.map(({ time }) => time).sort();
    const same = await sameWithout(named);
    expect(same.deleted_runs).toBe(0);
    expect(byTime(same.times)).toEqual(byTime(before.times));
    // What is not named stays where all have slugs.
    expect(await sameWithout(named.slice(0, 1))).toEqual(same);
    const other = [{ schedule: { interval: 3600 }, slug: "a", parameters: { x: 1 } }];
    expect((await preview(other)).deleted_runs).toBe(before.deleted_runs);
    // One that is only considered needs no slug, and to add it deletes nothing.
    const considered = await preview([{ schedule: { cron: "0 12 * * *" } }]);
    expect(considered).toMatchObject({
      times: [
        { time: "2026-11-14T12:00:00.000000Z", schedule_id: null, slug: null },
        {},
        {},
        {},
        {},
      ],
      deleted_runs: 0,
    });
  });

  test("shows the times of schedules as they would be", async () => {
    await using api = await open();
    const id = await aDeployment(api);
    const schedules = [{ schedule: { rrule: "DTSTART:20990101T000000\nFREQ=YEARLY;COUNT=3" } }];
    const { body } = await api.post(`/deployments/${id}/schedules/preview`, { schedules });
    expect(body).toEqual({
      times: [2099, 2100, 2101].map((year) => ({
        time: `${year}-01-01T00:00:00.000000Z`,
        schedule_id: null,
        slug: null,
        position: 0,
      })),
      deleted_runs: 0,
    });
    const bad = await api.post(`/deployments/${id}/schedules/preview`, {
      schedules: [{ schedule: { cron: "x" } }],
    });
    expect(bad.status).toBe(422);
    expect((await api.get(`/deployments/${id}/schedules`)).body).toEqual([]);
  });
});

const CRON = { cron: "0 9 * * *" };

async function aFilledDeployment(api: TestApi, schedules: readonly object[]): Promise<string> {
  const id = await aDeployment(api, schedules);
  await fillDueSchedules(api.ctx, signal);
  return id;
}

interface Preview {
  readonly times: readonly { readonly slug: string | null; readonly position: number }[];
  readonly deleted_runs: number;
}

const NAMED = [{ schedule: CRON, slug: "a" }];
const UNNAMED = [{ schedule: CRON }];
const UPDATES = [
  ["one of which has no slug where all have one", NAMED, [...NAMED, ...UNNAMED], 422],
  ["two of which have the same slug", UNNAMED, [...NAMED, ...NAMED], 409],
  [
    "that are too many beside those that stay",
    NAMED,
    Array.from({ length: 500 }, (_, index) => ({ schedule: CRON, slug: `s${index}` })),
    409,
  ],
] as const;

describeEachApi("a preview of a list of schedules", (open) => {
  test.each(UPDATES)(
    "is refused as the update is for schedules %s",
    async (...[, before, list, status]) => {
      await using api = await open();
      const id = await aFilledDeployment(api, before);
      const preview = await api.post(`/deployments/${id}/schedules/preview`, { schedules: list });
      const update = await api.patch(`/deployments/${id}`, { schedules: list });
      expect([preview.status, preview.body]).toEqual([status, update.body]);
      expect(update.status).toBe(status);
    },
  );

  test("shows those that it does not name and that stay, after those it names", async () => {
    await using api = await open();
    const other = { schedule: { cron: "0 21 * * *" }, slug: "b" };
    const id = await aFilledDeployment(api, [...NAMED, other]);
    const schedules = [{ schedule: { cron: "0 10 * * *" }, slug: "c" }, ...NAMED];
    const { body } = await api.post(`/deployments/${id}/schedules/preview`, {
      schedules,
      limit: 3,
    });
    const { times, deleted_runs } = body as Preview;
    expect(times.map(({ slug, position }) => `${position}: ${slug}`).sort()).toEqual([
      "0: c",
      "1: a",
      "2: b",
    ]);
    expect(deleted_runs).toBeGreaterThan(0);
  });

  test("shows schedules without a slug by themselves where all have one, and says that to add them deletes nothing", async () => {
    await using api = await open();
    const id = await aFilledDeployment(api, NAMED);
    const preview = async (schedules?: readonly object[]) =>
      (await api.post(`/deployments/${id}/schedules/preview`, { schedules, limit: 2 }))
        .body as Preview;
    expect((await preview()).deleted_runs).toBeGreaterThan(0);
    expect(await preview(UNNAMED)).toMatchObject({
      times: [
        { schedule_id: null, slug: null, position: 0 },
        { schedule_id: null, slug: null, position: 0 },
      ],
      deleted_runs: 0,
    });
    await api.post(`/deployments/${id}/schedules`, UNNAMED);
    // Now a list takes the place of all.
    expect((await preview(UNNAMED)).deleted_runs).toBeGreaterThan(0);
  });
});
