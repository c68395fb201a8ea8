import {
  DOCUMENT_VERSION,
  type ImportedMonitor,
  type ImportOutcome,
  type ImportQuery,
  type MonitorEntry,
  type UptimeDocument,
} from "@orchestrator/contract";
import type { Scope, Transaction } from "@orchestrator/kernel";
import type { UptimeContext } from "../../context.ts";
import { replaceParents } from "../dependencies/dependencies.store.ts";
import { draftOf } from "../monitors/monitor-row.ts";
import { addMonitor, changeMonitor, dropMonitor } from "../monitors/monitors.service.ts";
import {
  heldMonitors,
  listEdges,
  pagesOfMonitors,
  seenMonitors,
  waitForOtherImports,
} from "./documents.store.ts";
import { entryOf } from "./monitor-entry.rules.ts";
import { type ImportRequest, planImport, toldOf } from "./plan-import.ts";
import type { PlannedMonitor } from "./planned-monitor.ts";

const MONITORS_AT_ONCE = 500;

/** Everything there is to watch, without its secrets; with tags only the monitors that have all of them. */
export async function exportDocument(
  { db }: Pick<UptimeContext, "db">,
  scope: Scope,
  tags: readonly string[] = [],
): Promise<UptimeDocument> {
  const queries = db.in(scope.workspaceId);
  const parents = new Map<string, string[]>();
  for (const { monitor_id, parent_name } of await listEdges(queries))
    parents.set(monitor_id, [...(parents.get(monitor_id) ?? []), parent_name]);
  const monitors: MonitorEntry[] = [];
  for await (const rows of pagesOfMonitors(queries, MONITORS_AT_ONCE))
    for (const row of rows) {
      const draft = draftOf(row);
      if (tags.every((tag) => draft.tags.includes(tag)))
        monitors.push(entryOf(draft, parents.get(row.id) ?? []));
    }
  return { version: DOCUMENT_VERSION, monitors };
}

/** Makes the monitors what the document says: all of it or nothing. A dry run only tells. */
export async function importDocument(
  ctx: UptimeContext,
  scope: Scope,
  { document, prune, dry_run }: ImportQuery & { readonly document: UptimeDocument },
): Promise<ImportOutcome> {
  if (document.monitors === undefined) return { dry_run, monitors: null };
  const request = { entries: document.monitors, prune };
  const planned = dry_run
    ? await planImport(ctx, seenMonitors(ctx.db.in(scope.workspaceId)), request)
    : await ctx.db.write(scope.workspaceId, (tx) => carryOut(ctx, tx, request));
  const items = planned.map((one) => {
    const told = toldOf(ctx, one);
    return dry_run && one.action === "created" ? { ...told, id: null } : told;
  });
  return { dry_run, monitors: { ...countsOf(items), items } };
}

async function carryOut(
  ctx: UptimeContext,
  tx: Transaction,
  request: ImportRequest,
): Promise<PlannedMonitor[]> {
  await waitForOtherImports(tx);
  const planned = await planImport(ctx, heldMonitors(tx), request);
  for (const { before, after } of planned)
    if (before === null && after !== null) await addMonitor(ctx, tx, after);
  // Whoever is to be a parent is there now, and that nobody depends on itself is known.
  for (const { after, family } of planned)
    if (after !== null && family !== null) await replaceParents(tx, after.id, family.parentIds);
  for (const { before, after, family } of planned) {
    if (before === null) continue;
    if (after === null) await dropMonitor(ctx, tx, before);
    else await changeMonitor(ctx, tx, { before, after, hasOtherParents: family !== null });
  }
  return planned;
}

function countsOf(items: readonly ImportedMonitor[]) {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
  for (const { action } of items) counts[action] += 1;
  return counts;
}
