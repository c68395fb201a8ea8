import type { OrchestratorClient } from "@orchestrator/client";
import type { FlowRun } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { openExamples } from "./support.ts";

const pausedRun = (client: OrchestratorClient): Promise<FlowRun> =>
  retryUntil(async () => {
    const [run] = await client.flowRuns.list({
      flow_runs: { state: { type: { any_: ["PAUSED"] } } },
    });
    if (run === undefined) throw new Error("No run is paused yet");
    return run;
  });

test("the approval example waits for a person, and publishes what was approved", async () => {
  await using world = await openExamples();
  await using publish = world.start("approval/publish.mjs");
  const { id } = await pausedRun(world.client);
  const refused = await world.command("flow-run", "resume", id, "--param", "approved=perhaps");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("approved") });
  const { code, stderr } = await world.command(
    "flow-run",
    "resume",
    id,
    "--param",
    "approved=true",
  );
  expect(code, stderr).toBe(0);
  expect(await publish.ended, publish.printed()).toBe(0);
  expect(publish.stdout()).toContain("published");
  const lines = await world.client.logs.list({ logs: { flow_run_id: { any_: [id] } } });
  expect(lines.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^Sent \d+/));
});

test("the approval example keeps back what was not approved", async () => {
  await using world = await openExamples();
  await using publish = world.start("approval/publish.mjs");
  const { id } = await pausedRun(world.client);
  await world.client.flowRuns.resume(id, { run_input: { approved: false, comment: "too long" } });
  expect(await publish.ended, publish.printed()).toBe(0);
  expect(publish.stdout()).toContain("kept back: too long");
});

test("the tests of the approval example pass, and leave no run on a server within reach", async () => {
  await using world = await openExamples();
  await using tests = world.start("approval/publish.test.mjs");
  expect(await tests.ended, tests.printed()).toBe(0);
  expect(tests.printed()).toMatch(/pass 4/);
  expect(await world.client.flowRuns.count({})).toBe(0);
});
