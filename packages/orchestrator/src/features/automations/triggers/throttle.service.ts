import { formatMicros, parseMicros, type SystemTransaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";
import { emitResourceEvent } from "../../../events/emit.ts";
import { throttledEvent } from "../actions/throttled-event.rules.ts";
import type { AutomationThrottleRow } from "../automations.table.ts";
import type { Firing, Observation } from "./evaluate.rules.ts";
import {
  FIRINGS_PER_MINUTE,
  limitOfFirings,
  type Throttle,
  throttleAt,
  withFiring,
  withoutFiring,
} from "./throttle.rules.ts";
import { putThrottles, readThrottles } from "./throttle.store.ts";
import { observedFirings } from "./throttled-trace.rules.ts";

interface Outcome {
  readonly firings: readonly Firing[];
  readonly observed: readonly Observation[];
}

/**
 * Lets automations fire as often as they may, and counts the matches beyond that, in the transaction of the firings. Triggers are evaluated by one
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
  const made: Firing[] = [];
  for (const firing of firings) {
    const { id } = firing.automation;
    const throttle = throttleAt(throttles.get(id) ?? null, now);
    const limit = limitOfFirings(throttle, ctx.settings.automationFiringsPerMinute);
    const after =
      limit === null ? withFiring(throttle, now) : withoutFiring(throttle, { now, limit });
    throttles.set(id, after);
    if (limit === null) made.push(firing);
    else if (after.passedOver?.matches === 1) await tell(ctx, tx, { firing, throttle: after });
  }
  await write(tx, firings, throttles);
  return { firings: made, observed: observedFirings(observed, made) };
}

async function tell(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { firing, throttle }: { readonly firing: Firing; readonly throttle: Throttle },
): Promise<void> {
  const { passedOver, firings } = throttle;
  if (passedOver?.reason !== FIRINGS_PER_MINUTE) return;
  const { workspaceId, id, name } = firing.automation;
  const event = throttledEvent({
    eventId: ctx.ids.uuid7(),
    occurred: ctx.clock.now(),
    firing,
    firings,
    passedOver,
  });
  await emitResourceEvent(ctx, tx.inWorkspace(workspaceId), event);
  const automation = { id, name };
  ctx.log.warn(
    { workspace: workspaceId, automation, limit: firings },
    "An automation is throttled",
  );
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
