import type { LoopDefinition } from "@orchestrator/kernel/loops";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { AccountsContext } from "../../context.ts";
import { removeCountsBefore } from "../../usage/usage.store.ts";
import { measureWorkspaces } from "./measure.service.ts";
import { QUOTAS_TOPIC, syncUsageCounts } from "./quotas.service.ts";

const COUNTS_MS = 2000;
const SIZES_MS = 60_000;
/** Measuring takes no more than this part of the time. */
const SHARE = 20;
const HOUR_MS = 3_600_000;
const KEPT_DAYS_MICROS = 35 * 86_400_000_000;

export function quotaLoops(ctx: AccountsContext): readonly LoopDefinition[] {
  let nextMeasure = 0;
  return [
    {
      name: "usage-counts",
      everyMs: COUNTS_MS,
      wakeOn: [QUOTAS_TOPIC],
      runs: "each",
      tick: () => syncUsageCounts(ctx),
    },
    {
      name: "usage-sizes",
      everyMs: SIZES_MS,
      wakeOn: [QUOTAS_TOPIC],
      runs: "one",
      tick: async (signal) => {
        const { quotas } = ctx.accounting;
        await quotas.refresh();
        const began = performance.now();
        if (began < nextMeasure || !(await quotas.needsSizes())) return;
        await measureWorkspaces(ctx, signal);
        const took = performance.now() - began;
        // A small server is measured whenever somebody asks for it, a large one seldom.
        nextMeasure = performance.now() + took * SHARE;
        await quotas.refresh();
      },
    },
    {
      name: "usage-retention",
      everyMs: HOUR_MS,
      runs: "one",
      tick: async () => {
        const before = formatMicros(ctx.clock.nowMicros() - KEPT_DAYS_MICROS).slice(0, 10);
        await ctx.db.writeSystem((tx) => removeCountsBefore(tx, before));
      },
    },
  ];
}
