import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { example, openExamples } from "./support.ts";

test("the example of other languages runs a shell script, with its output as the log and its exit code as the end", async () => {
  await using world = await openExamples("--worker");
  const deployed = await world.command(
    "deploy",
    "--all",
    "--file",
    example("any-command/orchestrator.yaml"),
  );
  expect(deployed.code, deployed.stderr).toBe(0);
  const into = join(world.folder, "backups");
  const backup = (more: Readonly<Record<string, string>> = {}) =>
    world.command(
      "deployment",
      "run",
      "backup/shell",
      "--watch",
      "--job-variable",
      `env=${JSON.stringify({ WHAT: ".", KEEP: "1", INTO: into, ...more })}`,
    );
  for (let n = 0; n < 2; n += 1) {
    const { code, stdout, stderr } = await backup();
    expect(code, stdout + stderr).toBe(0);
  }
  expect(await readdir(into)).toHaveLength(1);
  const lines = (await world.client.logs.list({})).map(({ message }) => message);
  expect(lines).toContainEqual(expect.stringMatching(/^Packed +\d+ files into /));
  expect(lines).toContainEqual(expect.stringMatching(/^Removed /));

  expect((await backup({ WHAT: "/nowhere" })).code).toBe(1);
  const [failed] = await world.client.flowRuns.list({ sort: "ID_DESC", limit: 1 });
  expect(failed?.state).toMatchObject({
    type: "FAILED",
    message: expect.stringContaining("There is no folder /nowhere"),
  });
});
