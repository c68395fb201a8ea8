import type { Verdict } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { UsedUp } from "@orchestrator/kernel/scope";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import type { AutomationThrottleRow } from "../../../db/tables/automations.table.ts";
import { emitResourceEvent } from "../../../events/emit.ts";
import { emitUsedUp, logUsedUp } from "../../../workspace/quotas/used-up.service.ts";
import type { Firing, Observation } from "./evaluate.rules.ts";
import { type EventQuota, openEventQuota } from "./event-quota.service.ts";
import {
  FIRINGS_PER_MINUTE,
  limitOfFirings,
  limitOfQuota,
  type PassedOver,
  type Throttle,
  throttleAt,
  withFiring,
  withPassedOver,
} from "./throttle.rules.ts";
import { putThrottles, readThrottles } from "./throttle.store.ts";
import { throttledEvent } from "./throttled-event.rules.ts";
import { observedFirings } from "./throttled-trace.rules.ts";

interface Outcome {
  readonly firings: readonly Firing[];
  readonly observed: readonly Observation[];
}

/**
 * Lets automations fire as often as they may and the quota of their workspace has room for, and
 * counts the matches beyond that, in the transaction of the firings. Triggers are evaluated by one
 * replica at a time, so what is read here stays as it is until the transaction ends.
 */
export async function throttleFirings(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { firings, observed }: Outcome,
): Promise<Outcome> {
  if (firings.length === 0) return { firings, observed };
  const now = ctx.clock.nowMicros();
  const ids = new Set(firings.map(({ automation }) => automation.id));
  const throttles = new Map(
    (await readThrottles(tx, [...ids])).map((row) => [row.automation_id, throttleOf(row)]),
  );
  const quotas = await openQuotas(ctx, tx, firings);
  const made: Firing[] = [];
  const told = new Set<string>();
  for (const firing of firings) {
    const { id, workspaceId } = firing.automation;
    const quota = quotas.get(workspaceId);
    const throttle = throttleAt(throttles.get(id) ?? null, now);
    const usedUp = quota?.usedUp() ?? null;
    const limit =
      usedUp === null
        ? limitOfFirings(throttle, ctx.settings.automationFiringsPerMinute)
        : limitOfQuota(usedUp);
    if (limit === null) {
      throttles.set(id, withFiring(throttle, now));
      quota?.take(firing);
      made.push(firing);
      continue;
    }
    const after = withPassedOver(throttle, { now, limit });
    throttles.set(id, after);
    if (after.passedOver.matches > 1) continue;
    if (usedUp === null) await publishThrottled(ctx, tx, { firing, ...after });
    else if (!told.has(workspaceId)) {
      told.add(workspaceId);
      await publishUsedUp(ctx, tx, { workspaceId, usedUp });
    }
  }
  await write(tx, firings, throttles);
  const verdictOf = (id: string): Verdict =>
    throttles.get(id)?.passedOver?.reason === FIRINGS_PER_MINUTE ? "throttled" : "quota-used-up";
  return { firings: made, observed: observedFirings(observed, made, verdictOf) };
}

async function openQuotas(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  firings: readonly Firing[],
): Promise<Map<string, EventQuota>> {
  const quotas = new Map<string, EventQuota>();
  for (const id of new Set(firings.map(({ automation }) => automation.workspaceId)))
    quotas.set(id, await openEventQuota(ctx, tx, id));
  return quotas;
}

async function publishUsedUp(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { workspaceId, usedUp }: { readonly workspaceId: string; readonly usedUp: UsedUp },
): Promise<void> {
  const finding = { by: "automations", usedUp } as const;
  await emitUsedUp(ctx, tx.inWorkspace(workspaceId), finding);
  logUsedUp(ctx, workspaceId, { ...finding, consequence: "its automations do not act" });
}

async function publishThrottled(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  first: { readonly firing: Firing; readonly firings: number; readonly passedOver: PassedOver },
): Promise<void> {
  const { workspaceId, id, name } = first.firing.automation;
  const event = throttledEvent({
    eventId: ctx.ids.uuid7(),
    occurred: ctx.clock.now(),
    ...first,
  });
  await emitResourceEvent(ctx, tx.inWorkspace(workspaceId), event);
  const automation = { id, name };
  const limit = first.firings;
  ctx.log.warn({ workspace: workspaceId, automation, limit }, "An automation is throttled");
}

async function write(
  tx: SystemTransaction,
  firings: readonly Firing[],
  throttles: ReadonlyMap<string, Throttle>,
): Promise<void> {
  const rows = new Map<string, Map<string, AutomationThrottleRow>>();
  for (const { automation } of firings) {
    const throttle = throttles.get(automation.id);
    if (throttle === undefined) continue;
    const there = rows.get(automation.workspaceId) ?? new Map<string, AutomationThrottleRow>();
    rows.set(automation.workspaceId, there.set(automation.id, rowOf(automation.id, throttle)));
  }
  for (const [workspaceId, changed] of rows)
    await putThrottles(tx.inWorkspace(workspaceId), [...changed.values()]);
}

function throttleOf(row: AutomationThrottleRow): Throttle {
  const { reason, since, until, matches, message } = row;
  return {
    minute: parseMicros(row.minute),
    firings: row.firings,
    passedOver:
      reason === null || since === null
        ? null
        : {
            reason,
            since: parseMicros(since),
            until: until === null ? null : parseMicros(until),
            matches,
            message: message ?? "",
          },
  };
}

function rowOf(automation_id: string, throttle: Throttle): AutomationThrottleRow {
  const { minute, firings, passedOver } = throttle;
  const until = passedOver?.until ?? null;
  return {
    automation_id,
    minute: formatMicros(minute),
    firings,
    reason: passedOver?.reason ?? null,
    since: passedOver === null ? null : formatMicros(passedOver.since),
    until: until === null ? null : formatMicros(until),
    matches: passedOver?.matches ?? 0,
    message: passedOver?.message ?? null,
  };
}
