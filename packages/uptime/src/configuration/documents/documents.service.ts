import { DOCUMENT_VERSION, type ImportOutcome, type ImportQuery } from "@orchestrator/contract";
import { AppError, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import { listWindows } from "../../maintenance/maintenance.store.ts";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import type { MonitorEntry, UptimeDocument } from "../../models.ts";
import { monitorConfigOf } from "../../monitors/monitor-row.ts";
import { applyImportPlan } from "./apply-import-plan.ts";
import {
  listEdges,
  listPages,
  lockPresent,
  monitorBatches,
  readPresent,
  type StoredConfiguration,
} from "./documents.store.ts";
import { entryOf } from "./monitor-entry.rules.ts";
import {
  type ImportPlan,
  type ImportRequest,
  planImport,
  planOutcome,
  questionOf,
} from "./plan-import.ts";
import { pageEntry } from "./plan-pages.ts";
import { isWindowOver, windowEntry } from "./plan-windows.ts";

const MONITORS_AT_ONCE = 500;

/**
 * Everything there is to watch, without its secrets; with tags only the monitors that have all of
 * them, and nothing else.
 */
export async function exportDocument(
  { db, clock }: Pick<MaintenanceContext, "db" | "clock">,
  scope: Scope,
  tags: readonly string[] = [],
): Promise<UptimeDocument> {
  const queries = db.in(scope.workspaceId);
  const parents = new Map<string, string[]>();
  for (const { monitor_id, parent_name } of await listEdges(queries))
    parents.set(monitor_id, [...(parents.get(monitor_id) ?? []), parent_name]);
  const monitors: MonitorEntry[] = [];
  const nameOf = new Map<string, string>();
  for await (const rows of monitorBatches(queries, MONITORS_AT_ONCE))
    for (const row of rows) {
      nameOf.set(row.id, row.name);
      const draft = monitorConfigOf(row);
      if (tags.every((tag) => draft.tags.includes(tag)))
        monitors.push(entryOf(draft, parents.get(row.id) ?? []));
    }
  if (tags.length > 0) return { version: DOCUMENT_VERSION, monitors };
  const now = clock.nowMicros();
  const windows = (await listWindows(queries)).filter((row) => !isWindowOver(row, now));
  return {
    version: DOCUMENT_VERSION,
    monitors,
    maintenance: windows.map((row) => windowEntry(row, nameOf)),
    status_pages: (await listPages(queries)).map((row) => pageEntry(row, nameOf)),
  };
}

/**
 * Makes everything that is watched what the document says: all of it or nothing. A dry run only
 * tells.
 */
export async function importDocument(
  ctx: MaintenanceContext,
  scope: Scope,
  { document, prune, dry_run }: ImportQuery & { readonly document: UptimeDocument },
): Promise<ImportOutcome> {
  const request = { document, prune };
  const plan = dry_run
    ? (await planned(ctx, scope, request)).plan
    : await carriedOut(ctx, scope, request);
  const told = await planOutcome(ctx, plan);
  return { dry_run, ...(dry_run ? withoutNewIds(told) : told) };
}

type ImportOutcomes = Awaited<ReturnType<typeof planOutcome>>;

/** Nobody has been given them. */
function withoutNewIds({ monitors, maintenance, status_pages }: ImportOutcomes): ImportOutcomes {
  const section = (told: ImportOutcomes["monitors"]): ImportOutcomes["monitors"] =>
    told === null
      ? null
      : {
          ...told,
          items: told.items.map((item) =>
            item.action === "created" ? { ...item, id: null } : item,
          ),
        };
  return {
    monitors: section(monitors),
    maintenance: section(maintenance),
    status_pages: section(status_pages),
  };
}

interface Planned {
  readonly plan: ImportPlan;
  /** What the plan was made of. */
  readonly basis: string;
}

async function planned(
  ctx: MaintenanceContext,
  scope: Scope,
  request: ImportRequest,
): Promise<Planned> {
  const present = await readPresent(ctx.db.in(scope.workspaceId), questionOf(request));
  return { plan: await planImport(ctx, request, present), basis: await basisOf(present) };
}

/** Somebody may change the same things at the same time, but hardly so often. */
const MOST_PLANS = 5;

/**
 * Very many monitors take a while to plan, so that is done before the transaction, and with pauses;
 * the transaction does nothing if what the plan was made of is not there any more, and another plan
 * is made.
 */
async function carriedOut(
  ctx: MaintenanceContext,
  scope: Scope,
  request: ImportRequest,
): Promise<ImportPlan> {
  const question = questionOf(request);
  for (let plans = 0; plans < MOST_PLANS; plans += 1) {
    const { plan, basis } = await planned(ctx, scope, request);
    const isDone = await ctx.db.write(scope.workspaceId, async (tx: Transaction) => {
      const present = await lockPresent(tx, question);
      if ((await basisOf(present)) !== basis) return false;
      await applyImportPlan(ctx, tx, { plan, present });
      return true;
    });
    // A nudge may take a moment, also to this process.
    ctx.maintenance.forget();
    if (isDone) return plan;
  }
  throw new AppError("conflict", "The monitors are being changed by somebody else: try again");
}

/**
 * All that a plan depends on; not when monitors are due and what was told of windows, which change
 * by themselves.
 */
async function basisOf({
  monitors,
  others,
  windows,
  ...rest
}: StoredConfiguration): Promise<string> {
  const turn = yieldingBetweenSteps();
  const texts = [JSON.stringify([windows.map(({ told_start: _told, ...row }) => row), rest])];
  for (const rows of [monitors, others])
    for (let i = 0; i < rows.length; i += MONITORS_AT_ONCE) {
      const some = rows.slice(i, i + MONITORS_AT_ONCE);
      texts.push(JSON.stringify(some.map((row) => ({ ...row, next_run: null }))));
      await turn();
    }
  return texts.join();
}
