import { expect, test } from "vitest";
import {
  decide,
  flowRun,
  type GivenFlowRun,
  pairs,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { cancelWithoutInfrastructure as rule } from "./cancel-without-infrastructure.ts";

const AT_ONCE = "REJECT CANCELLED Cancelled";
const dialect = "prefect";
const ask = (given: Omit<GivenFlowRun, "from" | "to">) =>
  verdicts(rule, (pair) => flowRun({ ...pair, ...given }));

test("what waits to be started is cancelled at once", async () => {
  expect(await ask({ dialect })).toEqual(pairs(["SCHEDULED"], ["CANCELLING"], AT_ONCE));
});

test("what has been given to infrastructure must be stopped there first", async () => {
  const run = { infrastructure_pid: "host:1" };
  expect(await ask({ dialect, run })).toEqual({});
  const resuming = { name: "Resuming" };
  expect(await ask({ dialect, run, initial: resuming })).toEqual(
    pairs(["SCHEDULED"], ["CANCELLING"], AT_ONCE),
  );
});

test("a suspended run is cancelled at once, one that is paused in its process is not", async () => {
  const suspended = { state_details: { pause_reschedule: true } };
  expect(await ask({ dialect, initial: suspended })).toEqual(
    pairs(["SCHEDULED", "PAUSED"], ["CANCELLING"], AT_ONCE),
  );
});

test("every run becomes CANCELLING first where the dialect says so", async () => {
  expect(await ask({ initial: { state_details: { pause_reschedule: true } } })).toEqual({});
});

test("a run whose flow waits without a process is cancelled at once in every dialect", async () => {
  for (const name of ["AwaitingEvent", "Sleeping"])
    expect(await ask({ initial: { name }, run: { infrastructure_pid: "host:1" } })).toEqual(
      pairs(["SCHEDULED"], ["CANCELLING"], AT_ONCE),
    );
});

test("the message of who cancels stays", async () => {
  const proposed = { message: "not needed" };
  const { state } = await decide(
    rule,
    flowRun({ from: "SCHEDULED", to: "CANCELLING", dialect, proposed }),
  );
  expect(state).toMatchObject({ type: "CANCELLED", message: "not needed" });
});
