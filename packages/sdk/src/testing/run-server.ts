// A server as far as one run goes: it takes every state that a worker proposes, and remembers the
// last.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder } from "@orchestrator/client/settings";
import type { FlowRun, JsonObject } from "@orchestrator/contract";
import { openSession } from "../report/session.ts";
import { JobRecords } from "../worker/job-records.ts";
import { CodeCache } from "../worker/pull/code-cache.ts";
import type { JobRunner } from "../worker/runner.ts";
import type { WorkerScope } from "../worker/worker-scope.ts";
import { type EngineResponder, type RecordedCall, testEngine } from "./engine.ts";

export const CLAIM_ID = "01a1df4f-0000-7000-8000-0000000000c1";

interface RunServer extends AsyncDisposable {
  readonly asked: readonly RecordedCall[];
  readonly run: FlowRun;
  /** The types of the states that it was told. */
  readonly told: () => readonly string[];
  /** Of a worker that speaks to it. */
  readonly scope: (runner: JobRunner) => WorkerScope;
}

interface RunFields {
  readonly parameters?: JsonObject;
  readonly state_type?: string;
  readonly job_variables?: JsonObject;
}

/** The first of the given answers that fits is given before its own. */
export async function startScriptedServer(
  fields: RunFields = {},
  answers: readonly (readonly [RegExp, EngineResponder])[] = [],
): Promise<RunServer> {
  const state = (type: string): JsonObject => ({
    id: CLAIM_ID,
    type,
    name: type,
    state_details: { claim_id: CLAIM_ID },
  });
  let current = state(fields.state_type ?? "SCHEDULED");
  const own = {
    id: "01a1df4f-0000-7000-8000-123456789abc",
    name: "brave-otter",
    flow_id: "f1",
    deployment_id: "d1",
    parameters: {},
    job_variables: { command: "true" },
    tags: [],
    run_count: 0,
    ...fields,
  };
  const record = () => ({
    ...own,
    state: current,
    state_type: current["type"],
    state_name: current["name"],
  });
  const told: string[] = [];
  const engine = await testEngine([
    ...answers,
    [
      /^POST \/api\/flow_runs\/[^/]+\/set_state$/,
      ({ body }) => {
        const { type } = (body as { readonly state: { readonly type: string } }).state;
        told.push(type);
        current = state(type);
        return [201, { status: "ACCEPT", state: current, details: {} }];
      },
    ],
    [/^GET \/api\/flow_runs\/[^/]+$/, () => [200, record()]],
    [/^GET \/api\/deployments\//, () => [200, { id: "d1", job_variables: {}, pull_steps: [] }]],
    [/^GET \/api\/work_pools\//, () => [200, { type: "process", base_job_template: {} }]],
    [/./, () => [200, {}]],
  ]);
  const home = await mkdtemp(join(tmpdir(), "worker-"));
  process.env["ORCHESTRATOR_API_URL"] = `${engine.url}/api`;
  process.env["ORCHESTRATOR_HOME"] = home;
  return {
    asked: engine.asked,
    run: record() as unknown as FlowRun,
    told: () => told,
    scope: (runner) => ({
      session: openSession(),
      runner,
      poolName: "local",
      workerName: "w1",
      graceSeconds: 1,
      reschedules: false,
      notes: new JobRecords(makePrivateFolder(home, "jobs")),
      code: new CodeCache(home),
      stopping: new AbortController().signal,
      ending: new AbortController().signal,
      killing: new AbortController().signal,
      tell: () => {},
      show: null,
    }),
    async [Symbol.asyncDispose]() {
      delete process.env["ORCHESTRATOR_API_URL"];
      delete process.env["ORCHESTRATOR_HOME"];
      await engine[Symbol.asyncDispose]();
      await rm(home, { recursive: true });
    },
  };
}
