import type {
  AutomationThrottle,
  AutomationTrace,
  TriggerEvaluation,
} from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import type { AutomationThrottleRow } from "../../../db/tables/automations.table.ts";
import { findAutomation } from "../automations.store.ts";
import type { Observation } from "./evaluate.rules.ts";
import { findThrottle } from "./throttle.store.ts";
import {
  MAX_TRACE_ENTRIES,
  mayJoin,
  mergeTraceEntries,
  type TraceEntry,
  traceEntries,
} from "./trace.rules.ts";
import { putTraces, readNewest, readTraces } from "./trace.store.ts";

/**
 * Keeps what is worth it, in the transaction of what was observed: one look and one write, however
 * much it is.
 */
export async function recordTrace(
  { dialect }: Pick<OrchestratorContext, "dialect">,
  tx: SystemTransaction,
  observed: readonly Observation[],
): Promise<void> {
  const entries = traceEntries(dialect.prefix, observed);
  if (entries.length === 0) return;
  const wanted = new Map(
    entries.map(({ automationId: automation_id, kind }) => [
      `${automation_id} ${kind}`,
      { automation_id, kind },
    ]),
  );
  const newest = new Map<string, { readonly number: number; readonly entry: TraceEntry | null }>();
  for (const row of await readNewest(tx, [...wanted.values()])) {
    const { automation_id, kind, number, alike, entry } = row;
    const evaluation = JSON.parse(entry) as TriggerEvaluation;
    const known = { automationId: automation_id, workspaceId: "", kind, alike, evaluation };
    newest.set(`${automation_id} ${kind}`, { number, entry: known });
  }
  const rows = new Map<string, Map<string, Parameters<typeof putTraces>[1][number]>>();
  for (const entry of entries) {
    const place = `${entry.automationId} ${entry.kind}`;
    const before = newest.get(place) ?? { number: 0, entry: null };
    const isAgain = before.entry !== null && mayJoin(before.entry, entry);
    const kept = isAgain && before.entry !== null ? mergeTraceEntries(before.entry, entry) : entry;
    const number = isAgain ? before.number : before.number + 1;
    newest.set(place, { number, entry: kept });
    const slot = number % MAX_TRACE_ENTRIES;
    const { automationId: automation_id, workspaceId, kind, alike, evaluation } = kept;
    const there = rows.get(workspaceId) ?? new Map();
    const row = { automation_id, kind, slot, number, alike, entry: evaluation };
    rows.set(workspaceId, there.set(`${place} ${slot}`, row));
  }
  for (const [workspaceId, slots] of rows)
    await putTraces(tx.inWorkspace(workspaceId), [...slots.values()]);
}

/** Null where it was never kept from firing. */
function describeThrottle(
  row: AutomationThrottleRow,
  { now, isUsedUp }: { readonly now: string; readonly isUsedUp: boolean },
): AutomationThrottle | null {
  const { reason, since, until, matches, message } = row;
  if (reason === null || since === null) return null;
  // Room in a quota is noticed by the next match only.
  const is_active = until === null ? isUsedUp : until > now;
  return { reason, since, until, matches, is_active, message: message ?? "" };
}

/** The last firings and near misses of an automation. */
export async function readTrace(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<AutomationTrace>> {
  const queries = ctx.db.in(scope.workspaceId);
  if ((await findAutomation(queries, id)) === null)
    throw new AppError("not_found", `Automation ${id} not found`);
  const rows = await readTraces(queries, id);
  const of = (wanted: string): string =>
    rows.flatMap(({ kind, entry }) => (kind === wanted ? [entry] : [])).join(",");
  const row = await findThrottle(queries, id);
  const isUsedUp = ctx.quotas.allowance(scope.workspaceId, "events").usedUp !== null;
  const throttle = row === null ? null : describeThrottle(row, { now: ctx.clock.now(), isUsedUp });
  const more = throttle === null ? "" : `,"throttle":${JSON.stringify(throttle)}`;
  return `{"firings":[${of("fired")}],"near_misses":[${of("missed")}]${more}}`;
}
