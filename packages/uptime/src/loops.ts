import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { ServiceContext } from "./create-context.ts";
import { Engine } from "./engine/engine.ts";
import { deleteExpiredSessions } from "./login/sessions.service.ts";
import { deletePastWindows, publishMaintenanceEvents } from "./maintenance/maintenance.loop.ts";
import { MAINTENANCE_TOPIC } from "./maintenance/maintenance-calendar.ts";
import { resealMonitors } from "./monitors/reseal-monitors.service.ts";
import { deleteOldHistory } from "./results/rollups/history-retention.loop.ts";

const MINUTE_MS = 60_000;
/** About how late events may tell that a maintenance has begun or ended. */
const MAINTENANCE_MS = 2000;
/** The engine works for as long as it is let; this is only the pause between two of its passes. */
const ENGINE_MS = 1;

/** Every background service, with its period and what it may change. */
export function uptimeLoops(ctx: ServiceContext): LoopDefinition[] {
  const engine = new Engine(ctx);
  return [
    {
      name: "checks",
      everyMs: ENGINE_MS,
      runs: "each",
      tick: (signal) => engine.work(signal),
    },
    {
      name: "history-retention",
      everyMs: 30 * MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const deleted = (await deleteOldHistory(ctx, signal)) + (await deletePastWindows(ctx));
        if (deleted > 0) ctx.log.info({ deleted }, "Old history of monitors deleted");
      },
    },
    {
      name: "maintenance",
      everyMs: MAINTENANCE_MS,
      wakeOn: [MAINTENANCE_TOPIC],
      runs: "one",
      tick: async (signal) => {
        await publishMaintenanceEvents(ctx, signal);
      },
    },
    {
      name: "uptime-sessions",
      everyMs: 10 * MINUTE_MS,
      runs: "one",
      tick: async () => {
        await deleteExpiredSessions(ctx);
      },
    },
    {
      name: "reseal-monitors",
      everyMs: MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const { resealed, problems } = await resealMonitors(ctx, signal);
        if (resealed > 0) ctx.log.info({ resealed }, "Secrets of monitors sealed");
        if (problems[0] !== undefined) throw problems[0];
      },
    },
  ];
}
