import { expect, test } from "vitest";
import {
  ANY_ID,
  decide,
  flowRun,
  type GivenFlowRun,
  pairs,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { suspend } from "./suspend.ts";

const ask = (given: Omit<GivenFlowRun, "from" | "to">) =>
  verdicts(suspend, (pair) => flowRun({ ...pair, ...given }));

test("a run that waits without a process needs a deployment", async () => {
  for (const name of ["AwaitingEvent", "Sleeping"]) {
    const proposed = { name };
    const refused = pairs(["RUNNING"], ["SCHEDULED"], "ABORT");
    expect(await ask({ proposed, run: { deployment_id: null } })).toEqual(refused);
    expect(await ask({ proposed, run: { deployment_id: ANY_ID } })).not.toEqual(refused);
  }
  expect(await ask({ run: { deployment_id: null } })).toEqual({});
});

test("it goes on in the same execution", async () => {
  const run = { deployment_id: ANY_ID };
  for (const [name, expected] of [
    ["Sleeping", { resuming: true }],
    ["AwaitingEvent", { resuming: true }],
    ["Scheduled", {}],
  ] as const) {
    const transition = flowRun({ from: "RUNNING", to: "SCHEDULED", run, proposed: { name } });
    await decide(suspend, transition);
    expect(transition.policy.current()).toEqual(expected);
  }
});
