import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { example, openExamples } from "./support.ts";

// A worker claims, stops and starts real processes.
test("the example of builds cancels the older build of a branch for the newer one", async () => {
  await using world = await openExamples("--worker");
  const file = example("latest-build/orchestrator.yaml");
  const deployed = await world.command("deploy", "--all", "--file", file);
  expect(deployed.code, deployed.stderr).toBe(0);
  const { client } = world;
  const { id } = await client.deployments.readByName("build", "branch");
  const build = async (branch: string, seconds: string) => {
    const job_variables = { env: { SECONDS_TO_BUILD: seconds } };
    const parameters = { branch: branch as never };
    return (await client.deployments.createFlowRun(id, { parameters, job_variables })).id;
  };
  const inState = (run: string, type: string) =>
    retryUntil(async () => {
      const found = await client.flowRuns.read(run);
      expect(found.state_type, found.state?.message ?? "").toBe(type);
      return found;
    });
  const [older, other] = [await build("main", "300"), await build("docs", "300")];
  for (const run of [older, other]) await inState(run, "RUNNING");
  const newer = await build("main", "0");
  expect(await inState(newer, "COMPLETED")).toMatchObject({ concurrency_key: "main" });
  await inState(older, "CANCELLED");
  const states = await client.flowRunStates.list({ flow_run_id: older });
  const messages = states.map(({ message }) => message ?? "");
  expect(messages.join()).toContain(`(${newer}) of the concurrency key main takes its place`);
  await inState(other, "RUNNING");
  const [automation] = await client.automations.list({});
  expect(automation?.name).toBe("build/branch: pushed");
});
