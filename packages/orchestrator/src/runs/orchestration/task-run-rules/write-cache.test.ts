import { expect, test } from "vitest";
import { FROM_ALL, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { createTestTaskRun, proposeTask } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { writeCache } from "./write-cache.ts";

const withKey = (cache_key: string) => ({ state_details: { cache_key } });
const LONG = "k".repeat(2001);

test("every completion with a key is remembered, unless it was remembered itself", async () => {
  const proposed = withKey("k");
  expect(await verdicts(writeCache, (pair) => taskRun({ ...pair, proposed }))).toEqual(
    pairs(FROM_ALL, ["COMPLETED"], "DATABASE"),
  );
  expect(await verdicts(writeCache, taskRun)).toEqual({});
  const cached = { ...withKey("k"), name: "Cached" };
  expect(await verdicts(writeCache, (pair) => taskRun({ ...pair, proposed: cached }))).toEqual({});
});

test("a result with a key that is too long is committed and not remembered", async () => {
  const proposed = withKey(LONG);
  expect(await verdicts(writeCache, (pair) => taskRun({ ...pair, proposed }))).toEqual(
    pairs(FROM_ALL, ["COMPLETED"], "REJECT COMPLETED Completed"),
  );
});

describeEachApi("a result", (open) => {
  test("is found under its key by the next task, and frees the slots of its own", async () => {
    await using api = await open();
    await api.post("/concurrency_limits/", { tag: "db", concurrency_limit: 1 });
    for (const [cache_key, expected] of [
      ["k", { status: "REJECT", state: { name: "Cached", data: { n: 1 } } }],
      [LONG, { status: "ACCEPT", state: { type: "RUNNING" } }],
    ] as const) {
      const [first, second] = [
        await createTestTaskRun(api, { tags: ["db"] }),
        await createTestTaskRun(api, { tags: ["db"] }),
      ];
      await proposeTask(api, first, "RUNNING");
      const completed = { type: "COMPLETED", data: { n: 1 }, ...withKey(cache_key) };
      expect(await proposeTask(api, first, completed)).toMatchObject({
        state: { type: "COMPLETED" },
      });
      const start = { type: "RUNNING", ...withKey(cache_key) };
      expect(await proposeTask(api, second, start)).toMatchObject(expected);
    }
  });
});
