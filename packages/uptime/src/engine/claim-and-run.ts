import type { CheckResult } from "@orchestrator/contract";
import type { EngineContext } from "./engine-context.ts";
import { runMonitor } from "./run-monitor.ts";
import { claimMonitor, type LeasedMonitor, readMonitors } from "./shares.store.ts";

/** A monitor that is this process's own, and a run of it that somebody has asked for. */
interface Taken {
  readonly monitor: LeasedMonitor;
  /** The name under which it is held. */
  readonly holder: string;
  readonly run: Promise<CheckResult | null>;
}

/**
 * Takes a monitor, enabled or not, and starts a run of it; null when another process has it, or it
 * is gone.
 */
export function claimAndRun(
  ctx: EngineContext,
  workspaceId: string,
  id: string,
): Promise<Taken | null> {
  return ctx.runs.inTurn([id], async () => {
    // It saw the target before anybody asked: what was repaired since would seem to be broken
    // still.
    if (!ctx.runs.isLooking(id)) await ctx.runs.find(id)?.catch(() => null);
    const { monitor, holder } = await ctx.runs.asking.run(async () => {
      const { holder } = ctx.runs;
      const isTaken = await ctx.db.write(workspaceId, (tx) => claimMonitor(tx, holder, id));
      const [monitor] = isTaken ? await readMonitors(ctx.db, [id]) : [];
      return { monitor, holder };
    });
    return monitor === undefined
      ? null
      : { monitor, holder, run: runMonitor(ctx, monitor, "manual") };
  });
}
