// What other parts of the program do with monitors, as part of transactions of theirs. It is the
// same whether this process serves the monitors, another one does, or none at present: all that is
// shared is the database.

import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { isMigrated } from "@orchestrator/kernel/storage";
import { updateMonitor } from "./configuration/monitors.service.ts";
import type { UptimeContext } from "./context.ts";
import { uptimeMigrations } from "./db/migrations/index.ts";
import { requestCheck } from "./engine/check-requests.store.ts";
import { ENGINE_TOPIC } from "./engine/lease.ts";
import { findMonitor, findMonitorIdsByName } from "./monitors/monitors.store.ts";
import type { UptimeSettings } from "./settings.ts";

type Host = Pick<UptimeContext, "db" | "clock" | "ids" | "keyring">;

export function monitorCommands(settings: UptimeSettings) {
  return {
    async setEnabled(
      host: Host,
      scope: Scope,
      { id, enabled }: { readonly id: string; readonly enabled: boolean },
    ): Promise<void> {
      await assertInstalled(host);
      await updateMonitor({ ...host, settings }, scope, { id, changes: { enabled } });
    },

    async findByName(host: Host, scope: Scope, name: string): Promise<string[]> {
      if (!(await isMigrated(host.db, uptimeMigrations))) return [];
      return findMonitorIdsByName(host.db.in(scope.workspaceId), name);
    },

    async requestCheck(host: Host, scope: Scope, id: string): Promise<void> {
      await assertInstalled(host);
      await host.db.write(scope.workspaceId, async (tx) => {
        if ((await findMonitor(tx, id)) === null)
          throw new AppError("not_found", "Monitor not found");
        await requestCheck(tx, { monitor_id: id, requested_at: host.clock.now() });
        tx.notify(ENGINE_TOPIC);
      });
    },
  };
}

/** A statement on a table that is not there would end the transaction that it is part of. */
async function assertInstalled({ db }: Host): Promise<void> {
  if (await isMigrated(db, uptimeMigrations)) return;
  throw new AppError(
    "not_found",
    "There are no monitors: the uptime service was never started on this database",
  );
}
