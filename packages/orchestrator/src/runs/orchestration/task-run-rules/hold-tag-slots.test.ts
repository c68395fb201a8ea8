import { expect, test } from "vitest";
import type { ConcurrencyLimitRow } from "../../../db/tables/concurrency-limits.table.ts";
import { ALL, FROM_ALL, pairs, taskRun, verdicts, without } from "../../../testing/rule-tests.ts";
import { createTestTaskRun, proposeTask, readRecord } from "../../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../../testing.ts";
import { releaseTagSlots, takeTagSlotsRule, waitSeconds } from "./hold-tag-slots.ts";

const HOLDING = ["RUNNING", "CANCELLING"] as const;

test("only a start asks for slots, and only of a task that holds none", async () => {
  const run = { tags: '["db"]' };
  expect(await verdicts(takeTagSlotsRule, (pair) => taskRun({ ...pair, run }))).toEqual(
    pairs(without(FROM_ALL, ...HOLDING), ["RUNNING"], "DATABASE"),
  );
  expect(await verdicts(takeTagSlotsRule, taskRun)).toEqual({});
});

test("whatever ends or interrupts a task gives its slots back", async () => {
  expect(await verdicts(releaseTagSlots, taskRun)).toEqual(
    pairs(FROM_ALL, without(ALL, ...HOLDING), "DATABASE"),
  );
});

test("the wait for a slot is about as long as one is held, from 1 second to 10", () => {
  const held = (seconds: number) => ({
    limit: { avg_slot_occupancy_seconds: seconds } as ConcurrencyLimitRow,
    denied: 0,
  });
  expect(waitSeconds([held(0.1), held(4)], 0)).toBe(3);
  expect(waitSeconds([held(4)], 1)).toBe(5);
  expect(waitSeconds([held(600)], 0.5)).toBe(10);
  expect(waitSeconds([held(0.1)], 0.5)).toBe(1);
});

const holders = async (api: TestApi, tag: string) =>
  (await readRecord(api, `/concurrency_limits/tag/${tag}`))["active_slots"];

describeEachApi("the slots of tags", (open) => {
  test("are taken all or none, by no more tasks than there are slots", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 2 });
    await api.post("/concurrency_limits/", { tag: "gpu", concurrency_limit: 1 });
    const both = await createTestTaskRun(api, { tags: ["db", "gpu"] });
    expect(await proposeTask(api, both, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    const other = await createTestTaskRun(api, { tags: ["db", "gpu"] });
    const wait = await proposeTask(api, other, "RUNNING");
    expect(wait).toMatchObject({ status: "WAIT", details: { delay_seconds: expect.any(Number) } });
    expect(await holders(api, "db")).toEqual([both]);
    const many = await Promise.all(
      Array.from({ length: 6 }, () => createTestTaskRun(api, { tags: ["db"] })),
    );
    const answers = await Promise.all(many.map((id) => proposeTask(api, id, "RUNNING")));
    expect(answers.filter(({ status }) => status === "ACCEPT")).toHaveLength(1);
    expect(await holders(api, "db")).toHaveLength(2);
  });

  test("are not taken twice by one task, nor kept while it waits to be tried again", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    const id = await createTestTaskRun(api, { tags: ["db"], empirical_policy: { retries: 1 } });
    for (const type of ["RUNNING", "RUNNING", "CANCELLING", "RUNNING"]) {
      expect(await proposeTask(api, id, type)).toMatchObject({ status: "ACCEPT" });
      expect(await holders(api, "db")).toEqual([id]);
    }
    await proposeTask(api, id, { type: "RUNNING" }, { force: true });
    await api.post(`/task_runs/${id}/set_state`, { state: { type: "SCHEDULED" } });
    expect(await holders(api, "db")).toEqual([]);
    const [again] = [
      await createTestTaskRun(api, { tags: ["db"], empirical_policy: { retries: 1 } }),
    ];
    await proposeTask(api, again, "RUNNING");
    expect(await proposeTask(api, again, "FAILED")).toMatchObject({
      state: { name: "AwaitingRetry" },
    });
    expect(await holders(api, "db")).toEqual([]);
    expect(await proposeTask(api, again, "RUNNING")).toMatchObject({ status: "ACCEPT" });
  });

  test("are given back by a start that must wait for its time, and refused where there are none", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    const scheduled_time = "2999-01-01T00:00:00.000000Z";
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    const id = await createTestTaskRun(api, { tags: ["db"], state });
    expect(await proposeTask(api, id, "RUNNING")).toMatchObject({ status: "WAIT" });
    expect(await holders(api, "db")).toEqual([]);
    await api.post("/concurrency_limits/", { tag: "closed", concurrency_limit: 0 });
    const refused = await createTestTaskRun(api, { tags: ["db", "closed"] });
    expect(await proposeTask(api, refused, "RUNNING")).toMatchObject({ status: "ABORT" });
    expect(await holders(api, "db")).toEqual([]);
  });
});
