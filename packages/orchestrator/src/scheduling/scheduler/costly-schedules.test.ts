import { ThreadFailedError } from "@orchestrator/kernel/compute";
import { formatMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { answersMeanwhile, watchThreads } from "../../testing/hostile.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { fillDueSchedules } from "./scheduler.service.ts";

const { signal } = new AbortController();
const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;

const NEVER = { rrule: "RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY\n".repeat(20).trim() };
/**
 * It occurs each second of January, and is found at once from there; elsewhere each second is
 * looked at twenty times.
 */
const months = Array.from({ length: 11 }, (_, i) => i + 2).join();
const EXCEPTED = `RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY;BYMONTH=${months}\n`;
const COSTLY = { rrule: `DTSTART:20200101T000000\n${EXCEPTED.repeat(20).trim()}` };
const NOON = { cron: "0 12 * * *" };
/** Whether the search gives up first or its budget ends it depends on the machine. */
const EMPTY_OR_REFUSED = {
  body: expect.toSatisfy(
    ({ times, detail }: { times?: object[]; detail?: string }) =>
      times?.length === 0 || detail?.includes("budget of 500 ms of CPU time") === true,
  ),
};

async function aDeployment(api: TestApi, name: string, schedules: object[] = []) {
  const flow = (await api.post("/flows/", { name: "etl" })).body as { id: string };
  const answer = await api.post("/deployments/", { name, flow_id: flow.id, schedules });
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

const countRuns = async (api: TestApi, id: string) =>
  (await api.post("/flow_runs/count", { deployments: { id: { any_: [id] } } })).body;

const open20261119 = { clock: manualClock("2026-11-19T09:00:00.000000Z") };

describeEachApi("a schedule that takes long to work out", (open) => {
  test("is refused on a thread while others are answered", async () => {
    await using api = await open();
    const id = await aDeployment(api, "nightly");
    const threads = watchThreads(api);
    const schedules = [{ schedule: NEVER }];
    const preview = () => api.post(`/deployments/${id}/schedules/preview`, { schedules });
    expect((await answersMeanwhile(api, preview)).status).toBe(422);
    expect((await api.post(`/deployments/${id}/schedules`, schedules)).status).toBe(422);
    expect(threads).toEqual(["checkSchedule", "checkSchedule"]);
  });

  test("is previewed on a thread while others are answered", async () => {
    await using api = await open(open20261119);
    const id = await aDeployment(api, "nightly");
    const threads = watchThreads(api);
    const schedules = [{ schedule: COSTLY }];
    const preview = () => api.post(`/deployments/${id}/schedules/preview`, { schedules });
    expect(await answersMeanwhile(api, preview)).toMatchObject(EMPTY_OR_REFUSED);
    expect(threads).toEqual(["nextTimes"]);
  });

  test("makes runs of others wait no longer, and is looked at again in an hour", async () => {
    await using api = await open(open20261119);
    const costly = await aDeployment(api, "costly", [{ schedule: COSTLY }]);
    const noon = await aDeployment(api, "noon", [{ schedule: NOON }]);
    const threads = watchThreads(api);
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, noon)).toBe(3);
    expect(await countRuns(api, costly)).toBe(0);
    expect(threads).toEqual(["fillSchedule"]);
    await fillDueSchedules(api.ctx, signal);
    expect(threads).toHaveLength(1);
    const clock = manualClock(formatMicros(api.ctx.clock.nowMicros() + HOUR));
    await fillDueSchedules({ ...api.ctx, clock }, signal);
    expect(threads).toHaveLength(2);
  });

  test("is looked at again in a minute when a thread fails", async () => {
    await using api = await open(open20261119);
    const id = await aDeployment(api, "nightly", [{ schedule: COSTLY }]);
    const failing = { run: () => Promise.reject(new ThreadFailedError(new Error("It ended"))) };
    const compute = { ...api.ctx.compute, for: () => failing };
    await fillDueSchedules({ ...api.ctx, compute }, signal);
    const threads = watchThreads(api);
    const clock = manualClock(formatMicros(api.ctx.clock.nowMicros() + MINUTE));
    await fillDueSchedules({ ...api.ctx, clock }, signal);
    expect(await countRuns(api, id)).toBe(0);
    expect(threads).toEqual(["fillSchedule"]);
  });

  test("is backfilled and run on demand from a thread", async () => {
    await using api = await open(open20261119);
    const id = await aDeployment(api, "costly", [{ schedule: COSTLY }]);
    const threads = watchThreads(api);
    const start = "2026-11-18T00:00:00Z";
    expect((await api.post(`/deployments/${id}/backfill`, { start })).status).toBe(422);
    const { status } = await api.post(`/deployments/${id}/schedule`, {});
    expect([200, 422]).toContain(status);
    expect(threads).toEqual(["countOfPlan", "scheduleTimesWithin"]);
  });
});

describeEachApi("an ordinary schedule", (open) => {
  test.each([
    NOON,
    { cron: "* * * * *" },
    { interval: 60 },
    { rrule: "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9" },
  ])("%j needs no thread", async (schedule) => {
    await using api = await open(open20261119);
    const threads = watchThreads(api);
    const id = await aDeployment(api, "nightly", [{ schedule }]);
    await api.post(`/deployments/${id}/schedules/preview`, {});
    await fillDueSchedules(api.ctx, signal);
    expect(await countRuns(api, id)).toBeGreaterThan(0);
    expect(threads).toEqual([]);
  });
});
