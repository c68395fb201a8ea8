// Runs of a deployment in a pool, and why they are not running, for tests of that.

import { expect } from "vitest";
import type { TestApi } from "./test-api.ts";

export type JsonBody = Record<string, unknown>;
export type Created = JsonBody & { readonly id: string };

interface Said {
  readonly code: string;
  readonly is_blocking: boolean;
  readonly message: string;
  readonly action: string | null;
  readonly resource: { readonly kind: string; readonly id: string } | null;
  readonly flow_run_ids: readonly string[];
}

export async function made(api: TestApi, path: string, body: JsonBody): Promise<Created> {
  const answer = await api.post(path, body);
  expect([200, 201]).toContain(answer.status);
  return answer.body as Created;
}

export async function deployed(api: TestApi, given: JsonBody = {}): Promise<Created> {
  const flow = await made(api, "/flows/", { name: "etl" });
  await api.post("/work_pools/", { name: "pool", type: "process" });
  return made(api, "/deployments/", {
    name: "prod",
    flow_id: flow.id,
    work_pool_name: "pool",
    ...given,
  });
}

export const createRunOf = (
  api: TestApi,
  deployment: Created,
  body: JsonBody = {},
): Promise<Created> => made(api, `/deployments/${deployment.id}/create_flow_run`, body);

export async function explained(api: TestApi, run: Created): Promise<Said[]> {
  const { status, body } = await api.get(`/flow_runs/${run.id}/explain`);
  expect(status).toBe(200);
  return (body as { obstacles: Said[] }).obstacles;
}

export const codes = async (api: TestApi, run: Created): Promise<string[]> =>
  (await explained(api, run)).map(({ code }) => code);

export const sendWorkerHeartbeat = (api: TestApi) =>
  api.post("/work_pools/pool/workers/heartbeat", { name: "w", heartbeat_interval_seconds: 30 });
