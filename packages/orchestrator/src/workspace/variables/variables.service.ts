import type { Variable, VariableCreate, VariableUpdate } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { VariableRow } from "../../db/tables/variables.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { variableEvent } from "./variables.events.ts";
import {
  findVariable,
  insertVariable,
  lockVariable,
  removeVariableRow,
  updateVariableRow,
  type VariableKey,
} from "./variables.store.ts";

export async function createVariable(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, value, tags = [] }: VariableCreate,
): Promise<Variable> {
  const now = ctx.clock.now();
  const variable = { id: ctx.ids.uuid7(), created: now, updated: now, name, value, tags };
  const row = { ...variable, value: writeJson(value), tags: JSON.stringify(tags) };
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await insertVariable(tx, row))) throw nameTaken(name);
    await emitResourceEvent(ctx, tx, variableEvent("created", row, now));
  });
  return variable;
}

export async function readVariable(
  ctx: OrchestratorContext,
  scope: Scope,
  key: VariableKey,
): Promise<JsonText<Variable>> {
  const variable = await findVariable(ctx.db.in(scope.workspaceId), key);
  if (variable === null) throw notFound(key);
  return variable;
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateVariable(
  ctx: OrchestratorContext,
  scope: Scope,
  { key, changes }: { readonly key: VariableKey; readonly changes: VariableUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockVariable(tx, key);
    if (before === null) throw notFound(key);
    const after = withChanges(before, changes);
    if (isSame(before, after)) return;
    await updateVariableRow(tx, { ...after, updated: now }).catch((error: unknown) => {
      throw isAppError(error, "conflict") ? nameTaken(after.name) : error;
    });
    await emitResourceEvent(ctx, tx, variableEvent("updated", after, now));
  });
}

export async function deleteVariable(
  ctx: OrchestratorContext,
  scope: Scope,
  key: VariableKey,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockVariable(tx, key);
    if (row === null) throw notFound(key);
    await removeVariableRow(tx, row.id);
    await emitResourceEvent(ctx, tx, variableEvent("deleted", row, ctx.clock.now()));
  });
}

function withChanges(row: VariableRow, { name, value, tags }: VariableUpdate): VariableRow {
  return {
    ...row,
    name: name ?? row.name,
    value: value === undefined ? row.value : writeJson(value),
    tags: tags === undefined || tags === null ? row.tags : JSON.stringify(tags),
  };
}

function isSame(before: VariableRow, after: VariableRow): boolean {
  return before.name === after.name && before.value === after.value && before.tags === after.tags;
}

function notFound(key: VariableKey): AppError {
  const which = "id" in key ? key.id : `named ${key.name}`;
  return new AppError("not_found", `Variable ${which} not found`);
}

function nameTaken(name: string): AppError {
  return new AppError("conflict", `A variable named ${name} already exists`);
}
