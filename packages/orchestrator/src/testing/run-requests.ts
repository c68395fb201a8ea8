// Requests about runs that many tests make.

import { expect } from "vitest";
import type { TestApi } from "./test-api.ts";

type Body = Readonly<Record<string, unknown>>;

/** What became of a proposed state. */
export interface StateAnswer {
  readonly status: string;
  readonly state: {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly timestamp: string;
    readonly state_details: Body;
  } | null;
  readonly details: Body;
}

async function made(api: TestApi, path: string, body: Body): Promise<string> {
  const answer = await api.post(path, body);
  expect(answer).toMatchObject({ body: { id: expect.any(String) } });
  return (answer.body as { id: string }).id;
}

const createFlow = (api: TestApi) => made(api, "/flows/", { name: "etl" });

export async function createTestFlowRun(api: TestApi, given: Body = {}): Promise<string> {
  return made(api, "/flow_runs/", { flow_id: await createFlow(api), ...given });
}

export async function createTestDeployment(api: TestApi, given: Body): Promise<string> {
  return made(api, "/deployments/", { name: "nightly", flow_id: await createFlow(api), ...given });
}

/** Runs of a deployment that wait to be claimed. */
export async function createRunsOf(
  api: TestApi,
  deploymentId: string,
  { count = 1, ...given }: Body & { readonly count?: number } = {},
): Promise<string[]> {
  const path = `/deployments/${deploymentId}/create_flow_run`;
  return Promise.all(Array.from({ length: count }, () => made(api, path, given)));
}

let tasks = 0;
export async function createTestTaskRun(api: TestApi, given: Body = {}): Promise<string> {
  tasks += 1;
  return made(api, "/task_runs/", { task_key: "t", dynamic_key: String(tasks), ...given });
}

interface Proposal {
  readonly force?: boolean;
  /** The version of the client that proposes. */
  readonly version?: string;
}

async function propose(
  api: TestApi,
  path: string,
  state: Body,
  { force = false, version }: Proposal = {},
): Promise<StateAnswer> {
  const headers = version === undefined ? {} : { "user-agent": `prefect/${version} (API 0.8.4)` };
  const answer = await api.request("POST", `${path}/set_state`, {
    headers,
    body: { state, force },
  });
  expect([200, 201]).toContain(answer.status);
  return answer.body as StateAnswer;
}

/** Proposes a state of a flow run: a type, or more than that. */
export const proposeFlow = (
  api: TestApi,
  id: string | undefined,
  state: string | Body,
  proposal: Proposal = {},
) =>
  propose(api, `/flow_runs/${id}`, typeof state === "string" ? { type: state } : state, proposal);

/** The same of a task run. */
export const proposeTask = (
  api: TestApi,
  id: string | undefined,
  state: string | Body,
  proposal: Proposal = {},
) =>
  propose(api, `/task_runs/${id}`, typeof state === "string" ? { type: state } : state, proposal);

export async function readRecord(api: TestApi, path: string): Promise<Body> {
  return (await api.get(path)).body as Body;
}

/** How many slots of a deployment are taken. */
export async function slotsTaken(api: TestApi, deploymentId: string): Promise<unknown> {
  const { global_concurrency_limit } = await readRecord(api, `/deployments/${deploymentId}`);
  return (global_concurrency_limit as Body)["active_slots"];
}
