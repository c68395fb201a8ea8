import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { fillDueSchedules } from "../scheduler/scheduler.service.ts";

const { signal } = new AbortController();
const CRON = { cron: "0 9 * * *" };

async function aDeployment(api: TestApi, schedules: readonly object[]): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const { body } = await api.post("/deployments/", { name: "nightly", flow_id, schedules });
  await fillDueSchedules(api.ctx, signal);
  return (body as { id: string }).id;
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
      const id = await aDeployment(api, before);
      const preview = await api.post(`/deployments/${id}/schedules/preview`, { schedules: list });
      const update = await api.patch(`/deployments/${id}`, { schedules: list });
      expect([preview.status, preview.body]).toEqual([status, update.body]);
      expect(update.status).toBe(status);
    },
  );

  test("shows those that it does not name and that stay, after those it names", async () => {
    await using api = await open();
    const other = { schedule: { cron: "0 21 * * *" }, slug: "b" };
    const id = await aDeployment(api, [...NAMED, other]);
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
    const id = await aDeployment(api, NAMED);
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
