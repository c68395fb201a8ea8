// A small company's worth of things to look at, made through the API.

import { type FilledAutomations, fillAutomations } from "./fill-automations.ts";

const STATES = ["COMPLETED", "FAILED", "CRASHED", "RUNNING", "CANCELLED"] as const;
const RUNS = 25;

interface Made {
  readonly id: string;
  readonly name: string;
}

export interface FilledRecords {
  readonly flow: Made;
  readonly deployment: Made;
  readonly pool: Made;
  readonly runs: readonly Made[];
  readonly automations: FilledAutomations;
}

export type Make = (path: string, body: unknown) => Promise<Made>;

/** Sends what is to be made to the API, with a key where it wants one. */
export function makeAt(origin: string, key?: string): Make {
  const access = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return async (path, body) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: "POST",
      headers: { ...access, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as Made;
  };
}

/** Of words, as the server makes them, and the same each time: `nightly-a`, `nightly-b`, … */
const nameOf = (i: number): string => `nightly-${String.fromCharCode(97 + i)}`;

export async function fillServer(origin: string, make = makeAt(origin)): Promise<FilledRecords> {
  const flow = await make("/flows/", { name: "nightly-import", tags: ["data"] });
  const pool = await make("/work_pools/", { name: "local", type: "process" });
  const deployment = await make("/deployments/", {
    name: "every-night",
    flow_id: flow.id,
    work_pool_name: pool.name,
    tags: ["data", "eu"],
    parameters: { source: "warehouse", limit: 500 },
    parameter_openapi_schema: {
      type: "object",
      properties: {
        source: { type: "string", title: "Source" },
        limit: { type: "integer", minimum: 1, default: 100 },
        full: { type: "boolean", default: false },
      },
      required: ["source"],
    },
    schedules: [
      { schedule: { cron: "0 3 * * *", timezone: "Europe/Berlin" }, active: true },
      {
        schedule: { rrule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=30" },
        slug: "last-workday",
        overlap: "queue",
        jitter_seconds: 600,
      },
    ],
  });
  const runs: Made[] = [];
  for (let i = 0; i < RUNS; i += 1) {
    const run = await make(`/deployments/${deployment.id}/create_flow_run`, {
      name: nameOf(i),
      tags: i % 3 === 0 ? ["retry-me"] : [],
    });
    const end = STATES[i % STATES.length] ?? "COMPLETED";
    for (const type of ["PENDING", "RUNNING", ...(end === "RUNNING" ? [] : [end])])
      await make(`/flow_runs/${run.id}/set_state`, {
        state: { type, message: `It is ${type.toLowerCase()}` },
        force: true,
      });
    runs.push(run);
  }
  const [first] = runs;
  if (first !== undefined)
    await make(
      "/logs/",
      Array.from({ length: 40 }, (_, i) => ({
        name: "orchestrator.flow_runs",
        level: [20, 20, 30, 40][i % 4],
        message: `Line ${i}: rows were read`,
        timestamp: new Date(Date.now() - 60_000 + i * 500).toISOString(),
        flow_run_id: first.id,
      })),
    );
  const automations = await fillAutomations(make, {
    deployment: deployment.id,
    run: first?.id ?? "",
  });
  return { flow, deployment, pool, runs, automations };
}
