import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { FROM_ALL, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { createTestTaskRun, proposeTask } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { readCache } from "./read-cache.ts";

const withKey = (cache_key: string, more = {}) => ({ state_details: { cache_key, ...more } });

test("only a start with a key looks for a result", async () => {
  const proposed = withKey("k");
  expect(await verdicts(readCache, (pair) => taskRun({ ...pair, proposed }))).toEqual(
    pairs(FROM_ALL, ["RUNNING"], "DATABASE"),
  );
  expect(await verdicts(readCache, taskRun)).toEqual({});
  const refreshing = withKey("k", { refresh_cache: true });
  expect(await verdicts(readCache, (pair) => taskRun({ ...pair, proposed: refreshing }))).toEqual(
    {},
  );
});

describeEachApi("a task whose result is remembered", (open) => {
  test("does not run: it has the newest result that has not expired", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const soon = { cache_expiration: "2026-01-01T00:01:00.000000Z" };
    for (const [n, details] of [
      [1, {}],
      [2, soon],
    ] as const) {
      const id = await createTestTaskRun(api);
      await proposeTask(api, id, { type: "COMPLETED", data: { n }, ...withKey("k", details) });
      clock.advanceMs(1);
    }
    const start = async () =>
      proposeTask(api, await createTestTaskRun(api), { type: "RUNNING", ...withKey("k") });
    const cached = { status: "REJECT", state: { type: "COMPLETED", name: "Cached" } };
    expect(await start()).toMatchObject({ ...cached, state: { data: { n: 2 } } });
    clock.advanceMs(60_000);
    const other = await start();
    expect(other).toMatchObject({ ...cached, state: { data: { n: 1 } } });
    expect(other.state?.timestamp).toBe("2026-01-01T00:01:00.002001Z");
    const elsewhere = { type: "RUNNING", ...withKey("other") };
    expect(await proposeTask(api, await createTestTaskRun(api), elsewhere)).toMatchObject({
      status: "ACCEPT",
    });
  });
});
