import type { InstanceVersion, VersionList } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { UptimeContext } from "../../context.ts";
import { findMonitor } from "../../monitors/monitors.store.ts";
import { listVersions } from "./versions.store.ts";

export async function readVersions(
  ctx: UptimeContext,
  scope: Scope,
  { monitorId, limit }: VersionList & { readonly monitorId: string },
): Promise<InstanceVersion[]> {
  const queries = ctx.db.in(scope.workspaceId);
  if ((await findMonitor(queries, monitorId)) === null)
    throw new AppError("not_found", "Monitor not found");
  return listVersions(queries, { monitor_id: monitorId, limit });
}
