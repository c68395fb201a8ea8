import { expect, test } from "vitest";
import { startScriptedServer } from "../testing/run-server.ts";
import { executeJob } from "./execute-job.ts";
import { processRunner } from "./process-runner.ts";
import type { JobRunner, WorkerJob } from "./runner.ts";

/** Starts nothing, and says what it was to start. */
function idleRunner(): JobRunner & { readonly jobs: WorkerJob[] } {
  const jobs: WorkerJob[] = [];
  return {
    jobs,
    type: "process",
    template: processRunner.template,
    start(job, _, onPlaced) {
      jobs.push(job);
      const place = { identifier: "nowhere", pid: null };
      onPlaced(place);
      const ended = Promise.resolve({ code: 0, signal: null });
      return Promise.resolve({ ...place, ended, stop: () => {}, kill: () => {} });
    },
  };
}

test.each([
  ["command", {}],
  ["flow", { report_states: false }],
])(
  "a %s that was only claimed when its worker is stopped is scheduled again and not started",
  async (_, more) => {
    const stopping = new AbortController();
    const job_variables = { command: "true", ...more };
    await using server = await startScriptedServer({ job_variables }, [
      [
        /^GET \/api\/deployments\//,
        () => {
          stopping.abort(new Error("The worker is stopped"));
          return [200, { id: "d1", job_variables: {}, pull_steps: [] }];
        },
      ],
    ]);
    const runner = idleRunner();
    await executeJob({ ...server.scope(runner), stopping: stopping.signal }, server.run);
    expect(server.told()).toEqual(["PENDING", "SCHEDULED"]);
    expect(runner.jobs).toEqual([]);
  },
);

test("a command is begun, and completed when it has ended well", async () => {
  await using server = await startScriptedServer();
  const runner = idleRunner();
  await executeJob(server.scope(runner), server.run);
  expect(server.told()).toEqual(["PENDING", "RUNNING", "COMPLETED"]);
  expect(runner.jobs).toHaveLength(1);
});
