import type { Incident, IncidentAcknowledge, IncidentList } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";
import { findMonitor } from "../monitors/monitors.store.ts";
import { INCIDENT_LIST } from "./incidents.filter.ts";
import { acknowledgeRow, findIncident, writeIncidentNote } from "./incidents.store.ts";

/** Incidents of one monitor or of all, the latest first. */
export async function readIncidents(
  ctx: UptimeContext,
  scope: Scope,
  { monitorId, open, since, until, limit, offset }: IncidentList & { readonly monitorId?: string },
): Promise<JsonText<Incident[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  if (monitorId !== undefined && (await findMonitor(queries, monitorId)) === null)
    throw new AppError("not_found", "Monitor not found");
  const filter = {
    ...(monitorId === undefined ? {} : { monitor: { any_: [monitorId] } }),
    ...(open === undefined ? {} : { ended: { is_null_: open } }),
    started: { after_: since ?? null, before_: until ?? null },
  };
  return listJson(queries, INCIDENT_LIST, { filter, limit, offset });
}

export async function readIncident(
  ctx: UptimeContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Incident>> {
  return found(await findIncident(ctx.db.in(scope.workspaceId), id));
}

/** Says that somebody looks after it. Who was first stays; the note may be changed later. */
export async function acknowledgeIncident(
  ctx: UptimeContext,
  scope: Scope,
  { id, note }: IncidentAcknowledge & { readonly id: string },
): Promise<JsonText<Incident>> {
  const acknowledged_at = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    await acknowledgeRow(tx, { id, acknowledged_at, acknowledged_by: scope.caller.id });
    if (note !== undefined) await writeIncidentNote(tx, id, note);
    return found(await findIncident(tx, id));
  });
}

function found<T>(incident: T | null): T {
  if (incident === null) throw new AppError("not_found", "Incident not found");
  return incident;
}
