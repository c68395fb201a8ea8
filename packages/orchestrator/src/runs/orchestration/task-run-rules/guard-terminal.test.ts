import { expect, test } from "vitest";
import { ALL, decide, ENDS, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { guardTerminalTaskRun } from "./guard-terminal.ts";

const NEVER = pairs(ENDS, ["CANCELLING", "PAUSED", "CRASHED"], "ABORT");
const AGAIN = pairs(ENDS, ["SCHEDULED", "PENDING", "RUNNING"], "NOTE");

test("a task run that has ended can end otherwise or run again, but not pause, crash or be cancelled", async () => {
  expect(await verdicts(guardTerminalTaskRun, taskRun)).toEqual({ ...NEVER, ...AGAIN });
  const initial = { data: { type: "unpersisted" } };
  expect(await verdicts(guardTerminalTaskRun, (pair) => taskRun({ ...pair, initial }))).toEqual({
    ...NEVER,
    ...AGAIN,
  });
});

test("a result that was kept is never given up", async () => {
  const initial = { data: { type: "reference" } };
  expect(await verdicts(guardTerminalTaskRun, (pair) => taskRun({ ...pair, initial }))).toEqual({
    ...AGAIN,
    ...pairs(["COMPLETED"], ALL, "REJECT"),
    ...NEVER,
  });
});

test("tries are counted anew when a task runs again", async () => {
  const transition = taskRun({ from: "FAILED", to: "RUNNING", run: { run_count: 3 } });
  const { state } = await decide(guardTerminalTaskRun, transition);
  expect(state?.name).toBe("Running");
  expect(transition.counts.runCount).toBe(0);
});

test("a task that runs again because its flow does says so in its name", async () => {
  const run = { run_count: 3, flow_run_run_count: 1 };
  for (const [run_count, name] of [
    [1, "Running"],
    [2, "Retrying"],
  ] as const) {
    const parent = { state: null, run_count };
    const transition = taskRun({ from: "FAILED", to: "RUNNING", run, parent });
    expect((await decide(guardTerminalTaskRun, transition)).state).toMatchObject({ name });
  }
});
