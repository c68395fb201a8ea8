import { AppError, parseMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import type { Statement } from "@orchestrator/kernel/storage";
import { accessChanged } from "../../access/access.store.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import type { AccountsContext } from "../../context.ts";
import type { RemovalRow } from "../../db/tables.ts";
import { readAccount } from "../accounts.service.ts";
import { readWorkspace } from "../workspaces/workspaces.service.ts";
import { listWorkspaces } from "../workspaces/workspaces.store.ts";
import { boundBy, deleteKeyRange, keyRanges } from "./keyed-walk.store.ts";
import { finishRemoval, listRemovals, removeAccount, removeWorkspace } from "./removal.store.ts";
import {
  deleteBatch,
  deleteTableRange,
  endOf,
  hasRows,
  listWorkspaceTables,
  type WorkspaceTable,
} from "./workspace-tables.store.ts";

const FIRST_WORKSPACE = openScope("").workspaceId;

interface Confirmed {
  readonly handle: string;
}

/** Nobody reaches it from then on; what is in it goes piece by piece. */
export async function deleteWorkspace(
  ctx: AccountsContext,
  access: KeyAccess,
  { id, handle }: Confirmed & { readonly id: string },
): Promise<void> {
  const workspace = await readWorkspace(ctx, access, id);
  assertMeant("workspace", workspace.handle, handle);
  if (id === FIRST_WORKSPACE)
    throw new AppError("conflict", "The first workspace of the server stays");
  await ctx.db.writeSystem(async (tx) => {
    const removal = { account_id: access.accountId, workspace_id: id, requested: ctx.clock.now() };
    if (!(await removeWorkspace(tx, removal)))
      throw new AppError("not_found", `Workspace ${id} not found`);
    await accessChanged(tx);
  });
}

/** With its workspaces, its keys, its service accounts, and the users that belong to no other. */
export async function deleteAccount(
  ctx: AccountsContext,
  access: KeyAccess,
  { handle }: Confirmed,
): Promise<void> {
  const account = await readAccount(ctx, access);
  assertMeant("account", account.handle, handle);
  const workspaces = await listWorkspaces(ctx.db, account.id);
  if (workspaces.some(({ id }) => id === FIRST_WORKSPACE))
    throw new AppError("conflict", "The first account of the server stays");
  await ctx.db.writeSystem(async (tx) => {
    const removal = { account_id: account.id, requested: ctx.clock.now() };
    for (const { id } of workspaces) await removeWorkspace(tx, { ...removal, workspace_id: id });
    // Fails where a workspace was made meanwhile, and nothing is done.
    await removeAccount(tx, account.id);
    await accessChanged(tx);
  });
}

function assertMeant(what: string, handle: string, given: string): void {
  if (given === handle) return;
  throw new AppError("conflict", `Deleting the ${what} takes its handle, which is not ${given}`);
}

const PIECE = 200;
/** Of one table in one pass; the next pass goes on. */
const MOST_PIECES = 100_000;
/** Rows of the embedded engine, blocks of PostgreSQL. */
const STRETCH = { sqlite: 5000, postgres: 100 };
/** What was under way when it was asked for has ended by then. */
const GRACE_MICROS = 60_000_000;

/**
 * What acts by itself goes first, then what others hang on last, so that no piece takes a multitude
 * with it.
 */
const FIRST = ["webhooks", "automations", "deployment_schedules", "monitors"];

/** Deletes what is left of workspaces; what is not done when it is told to stop is done later. */
export async function deleteRemovedWorkspaceRows(
  ctx: AccountsContext,
  signal: AbortSignal,
): Promise<number> {
  const removals = await listRemovals(ctx.db);
  if (removals.length === 0) return 0;
  const tables = inOrder(await listWorkspaceTables(ctx.db));
  let removed = 0;
  for (const removal of removals) {
    const rows = await emptyWorkspace(ctx, tables, { removal, signal });
    removed += rows;
    if (signal.aborted) break;
    const age = ctx.clock.nowMicros() - parseMicros(removal.requested);
    if (rows === 0 && age > GRACE_MICROS)
      await ctx.db.writeSystem((tx) => finishRemoval(tx, removal.workspace_id));
  }
  return removed;
}

interface Job {
  readonly removal: RemovalRow;
  readonly signal: AbortSignal;
}

async function emptyWorkspace(
  ctx: AccountsContext,
  tables: readonly WorkspaceTable[],
  { removal: { workspace_id }, signal }: Job,
): Promise<number> {
  let removed = 0;
  for (const table of tables) {
    for await (const { statement, parameters } of deletionsOf(ctx, table, workspace_id)) {
      if (signal.aborted) return removed;
      removed += await ctx.db.write(workspace_id, (tx) => tx.run(statement, parameters));
    }
  }
  return removed;
}

interface Deletion {
  readonly statement: Statement<object, unknown>;
  readonly parameters: object;
}

/**
 * One small transaction each. Without an index a table is gone through once, from its beginning to
 * its end.
 */
async function* deletionsOf(
  { db }: AccountsContext,
  table: WorkspaceTable,
  workspaceId: string,
): AsyncGenerator<Deletion> {
  if (table.isIndexed) {
    const statement = deleteBatch(table) as Deletion["statement"];
    for (let n = 0; n < MOST_PIECES && (await hasRows(db.in(workspaceId), table)); n += 1)
      yield { statement, parameters: { limit: PIECE } };
    return;
  }
  const step = STRETCH[db.dialect.name];
  if (table.key.length > 0) {
    for await (const range of keyRanges(db, table, step))
      yield {
        statement: deleteKeyRange(table, range) as Deletion["statement"],
        parameters: boundBy(range),
      };
    return;
  }
  const statement = deleteTableRange(table) as Deletion["statement"];
  const end = (await db.system.get(endOf(table), {}))?.end ?? 0;
  for (let from = 0; from < end; from += step)
    yield { statement, parameters: { from, to: from + step } };
}

/**
 * Children before their parents. Of those that cannot be found cheaply, their parents see to it.
 */
function inOrder(tables: readonly WorkspaceTable[]): WorkspaceTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const isSeenTo = ({ isIndexed, parents }: WorkspaceTable): boolean =>
    !isIndexed && parents.some((name) => byName.has(name));
  const children = new Map<string, string[]>();
  for (const { name, parents } of tables)
    for (const parent of parents)
      if (parent !== name) children.set(parent, [...(children.get(parent) ?? []), name]);
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.has(name)) return;
    for (const child of children.get(name) ?? []) visit(child);
    ordered.add(name);
  };
  for (const name of FIRST) if (byName.has(name)) visit(name);
  for (const { name } of tables) visit(name);
  return [...ordered].flatMap((name) => {
    const table = byName.get(name);
    return table === undefined || isSeenTo(table) ? [] : [table];
  });
}
