import {
  MAX_STATUS_PAGES,
  type StatusPage,
  type StatusPageCreate,
  type StatusPageUpdate,
} from "@orchestrator/contract";
import { countRows, listIds } from "@orchestrator/kernel/lists";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries, Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import { STATUS_PAGES_TOPIC, type StatusPageRow } from "../db/tables/status-pages.table.ts";
import { emitPageEvent } from "../events/page-events.ts";
import {
  changedPageFields,
  listedMonitors,
  pageDraftOf,
  receivePage,
  unknownMonitors,
} from "./page-input.rules.ts";
import { PAGE_MONITOR_LIST, STATUS_PAGE_LIST } from "./status-pages.filter.ts";
import {
  findStatusPage,
  insertStatusPage,
  lockStatusPage,
  removeStatusPage,
  updateStatusPageRow,
} from "./status-pages.store.ts";

export async function createStatusPage(
  ctx: UptimeContext,
  scope: Scope,
  body: StatusPageCreate,
): Promise<{ readonly id: string; readonly json: JsonText<StatusPage> }> {
  const now = ctx.clock.now();
  const row = { ...pageDraftOf(body), id: ctx.ids.uuid7(), created_at: now, updated_at: now };
  const json = await ctx.db.write(scope.workspaceId, async (tx) => {
    await addStatusPage(ctx, tx, row);
    return found(await findStatusPage(tx, row.id));
  });
  return { id: row.id, json };
}

/** All that a new page brings with it, within a transaction. */
export async function addStatusPage(
  ctx: UptimeContext,
  tx: Transaction,
  row: StatusPageRow,
): Promise<void> {
  const occurred = row.created_at;
  if ((await countRows(tx, STATUS_PAGE_LIST, {})) >= MAX_STATUS_PAGES)
    throw new AppError("conflict", `There are at most ${MAX_STATUS_PAGES} status pages`);
  await checkMonitors(tx, listedMonitors(row));
  if (!(await insertStatusPage(tx, row))) throw slugTaken(row.slug);
  await publishPageEvent(ctx, tx, { row, verb: "Created", occurred });
  if (row.published) await publishPageEvent(ctx, tx, { row, verb: "Published", occurred });
}

export async function readStatusPage(
  ctx: UptimeContext,
  scope: Scope,
  id: string,
): Promise<JsonText<StatusPage>> {
  return found(await findStatusPage(ctx.db.in(scope.workspaceId), id));
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateStatusPage(
  ctx: UptimeContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: StatusPageUpdate },
): Promise<JsonText<StatusPage>> {
  const given = receivePage(changes);
  const occurred = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = found(await lockStatusPage(tx, id));
    await changeStatusPage(ctx, tx, { before, row: { ...before, ...given, updated_at: occurred } });
    return found(await findStatusPage(tx, id));
  });
}

export interface PageChange {
  /** The row, held by the transaction. */
  readonly before: StatusPageRow;
  readonly row: StatusPageRow;
}

/** All that a change of a page brings with it, within a transaction. */
export async function changeStatusPage(
  ctx: UptimeContext,
  tx: Transaction,
  { before, row }: PageChange,
): Promise<void> {
  const changed = changedPageFields(before, row);
  if (changed.length === 0) return;
  const occurred = row.updated_at;
  // Those that were listed may have been deleted since, and are sent back as they were read.
  const known = new Set(listedMonitors(before));
  await checkMonitors(
    tx,
    listedMonitors(row).filter((monitor) => !known.has(monitor)),
  );
  await updateStatusPageRow(tx, row).catch((error: unknown) => {
    throw isAppError(error, "conflict") ? slugTaken(row.slug) : error;
  });
  if (changed.some((field) => field !== "published"))
    await publishPageEvent(ctx, tx, { row, verb: "Updated", occurred, changed });
  if (before.published !== row.published)
    await publishPageEvent(ctx, tx, {
      row,
      verb: row.published ? "Published" : "Unpublished",
      occurred,
    });
}

export async function deleteStatusPage(
  ctx: UptimeContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await dropStatusPage(ctx, tx, found(await lockStatusPage(tx, id)));
  });
}

/** All that the end of a page brings with it, within a transaction that holds its row. */
export async function dropStatusPage(
  ctx: UptimeContext,
  tx: Transaction,
  row: StatusPageRow,
): Promise<void> {
  await removeStatusPage(tx, row.id);
  await publishPageEvent(ctx, tx, { row, verb: "Deleted", occurred: ctx.clock.now() });
}

interface PageEventFacts {
  readonly row: StatusPageRow;
  readonly verb: string;
  readonly occurred: string;
  readonly changed?: readonly string[];
}

async function publishPageEvent(
  ctx: UptimeContext,
  tx: Transaction,
  { row, verb, occurred, changed }: PageEventFacts,
): Promise<void> {
  const { slug, title, published } = row;
  const payload = { slug, title, published, ...(changed === undefined ? {} : { changed }) };
  await emitPageEvent(ctx, tx, { page: row, verb, occurred, payload });
  tx.notify(STATUS_PAGES_TOPIC);
}

async function checkMonitors(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const filter = { id: { any_: ids } };
  const known = new Set(await listIds(queries, PAGE_MONITOR_LIST, { filter, limit: ids.length }));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw unknownMonitors(unknown);
}

function slugTaken(slug: string): AppError {
  return new AppError("conflict", `A status page with the slug ${slug} already exists`);
}

function found<T>(page: T | null): T {
  if (page === null) throw new AppError("not_found", "Status page not found");
  return page;
}
