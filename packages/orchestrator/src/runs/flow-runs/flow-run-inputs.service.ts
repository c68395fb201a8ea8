import type { FlowRunInputCreate, FlowRunInputList } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { prefixRangesOf } from "../../telemetry/events/events-filter.rules.ts";
import { findInput, insertInput, listInputs, removeInput } from "./flow-run-inputs.store.ts";
import { notFound } from "./flow-runs.service.ts";
import { lockFlowRunForEdit } from "./flow-runs.store.ts";

interface InputKey {
  readonly id: string;
  readonly key: string;
}

export async function createInput(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: FlowRunInputCreate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if ((await lockFlowRunForEdit(tx, id)) === null) throw notFound(id);
    const { key, value, sender = null } = body;
    const row = {
      id: ctx.ids.uuid7(),
      created: now,
      updated: now,
      flow_run_id: id,
      key,
      value,
      sender,
    };
    if (await insertInput(tx, row)) return;
    throw new AppError("conflict", `The run has an input ${key} already`);
  });
}

export async function filterInputs(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: FlowRunInputList },
): Promise<JsonText<unknown[]>> {
  const { prefix, limit, exclude_keys: excluded = [] } = body;
  const range = prefixRangesOf([prefix])?.[0] ?? null;
  const request = { flow_run_id: id, range, excluded, limit };
  return `[${(await listInputs(ctx.db.in(scope.workspaceId), request)).join(",")}]`;
}

export async function readInput(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, key }: InputKey,
): Promise<string> {
  const value = await findInput(ctx.db.in(scope.workspaceId), { flow_run_id: id, key });
  if (value === null) throw noInput({ id, key });
  return value;
}

export async function deleteInput(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, key }: InputKey,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await removeInput(tx, { flow_run_id: id, key }))) throw noInput({ id, key });
  });
}

function noInput({ id, key }: InputKey): AppError {
  return new AppError("not_found", `Flow run ${id} has no input ${key}`);
}
