import { expect, test } from "vitest";
import { startScriptedServer } from "../testing/run-server.ts";
import { prepareJob } from "./prepare-job.ts";
import { processRunner } from "./process-runner.ts";

const environmentWith = async (text: string): Promise<Readonly<Record<string, string>>> => {
  await using server = await startScriptedServer({ parameters: { text } });
  const { run } = server;
  const sources = { run, claim: run.state, deployment: null, pool: null, poolName: "local" };
  return (await prepareJob({ runner: processRunner, ...sources })).env;
};

test.each([
  ["short ones", "a".repeat(90_000), true],
  ["ones that are too long", "a".repeat(110_000), false],
  ["ones that are too long only when they are written as bytes", "字".repeat(50_000), false],
])(
  "a job finds its parameters in its environment as far as the kernel takes them: %s",
  async (_, text, isThere) => {
    expect(
      (await environmentWith(text))["ORCHESTRATOR_PARAMETERS"] === JSON.stringify({ text }),
    ).toBe(isThere);
  },
);
