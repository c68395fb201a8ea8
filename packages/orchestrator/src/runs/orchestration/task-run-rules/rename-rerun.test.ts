import { expect, test } from "vitest";
import { decide, FROM_ALL, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { renameRerun } from "./rename-rerun.ts";

test("the name of a second run of a task says so", async () => {
  expect(await verdicts(renameRerun, taskRun)).toEqual(pairs(FROM_ALL, ["RUNNING"], "CHANGE"));
});

test("the first run is called as it was proposed", async () => {
  const run = { run_count: 0 };
  expect(await verdicts(renameRerun, (pair) => taskRun({ ...pair, run }))).toEqual({});
});

test("the name says why the task runs again", async () => {
  for (const [before, name] of [
    ["AwaitingRetry", "Retrying"],
    ["Scheduled", "Rerunning"],
  ] as const) {
    const transition = taskRun({ from: "SCHEDULED", to: "RUNNING", initial: { name: before } });
    expect((await decide(renameRerun, transition)).state).toMatchObject({ name });
  }
});
