import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { example, openExamples } from "./support.ts";

test("the report example is planned for weekdays, and a worker keeps what it finds as an artifact", async () => {
  await using world = await openExamples("--worker");
  const deployed = await world.command(
    "deploy",
    "--all",
    "--file",
    example("scheduled-report/orchestrator.yaml"),
  );
  expect(deployed.code, deployed.stderr).toBe(0);
  const { id } = await world.client.deployments.readByName("daily-report", "weekdays");
  await retryUntil(async () => {
    const planned = await world.client.flowRuns.list({
      deployments: { id: { any_: [id] } },
      flow_runs: { state: { type: { any_: ["SCHEDULED"] } } },
    });
    expect(planned.length).toBeGreaterThan(0);
    for (const { expected_start_time } of planned) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(expected_start_time ?? "").getUTCDay());
    }
  });
  const ran = await world.command("deployment", "run", "daily-report/weekdays", "--watch");
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const latest = await world.client.artifacts.readLatest("daily-report");
  expect(latest).toMatchObject({
    type: "markdown",
    data: expect.stringContaining("| completed | 0 |"),
  });
});
