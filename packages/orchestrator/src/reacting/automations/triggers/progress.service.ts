import { formatMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import { bucketDueTime, firstBucket } from "./buckets.rules.ts";
import { ONLY_KEY } from "./evaluate.rules.ts";
import { leavesOf, type TriggerRule, understood } from "./triggers.rules.ts";
import { putBucket, triggersWithBuckets, wakeBuckets } from "./triggers.store.ts";

interface Begun {
  readonly id: string;
  readonly trigger: TriggerRule;
  /** Triggers that have begun already. */
  readonly except?: ReadonlySet<string>;
}

/** Triggers that wait for an absence begin to wait when their automation is switched on. */
export async function openWindows(
  ctx: OrchestratorContext,
  tx: Transaction,
  { id, trigger, except = new Set() }: Begun,
): Promise<void> {
  const now = ctx.clock.nowMicros();
  for (const { leaf } of leavesOf(understood(trigger, ctx.dialect.watchesUnasked))) {
    const bucket = except.has(leaf.id) ? null : firstBucket(leaf, now);
    if (bucket === null) continue;
    await putBucket(tx, {
      automation_id: id,
      trigger_id: leaf.id,
      key_hash: ONLY_KEY,
      labels: "{}",
      starts: formatMicros(bucket.starts),
      ends: formatMicros(bucket.ends),
      count: bucket.count,
      last_event: null,
      held: null,
      due: formatMicros(bucketDueTime(leaf, bucket)),
    });
  }
}

/** Goes on with windows that are still open, and begins anew where one has ended. */
export async function resumeWindows(
  ctx: OrchestratorContext,
  tx: Transaction,
  { id, trigger }: Begun,
): Promise<void> {
  await wakeBuckets(tx, { automation_id: id, now: ctx.clock.now() });
  const except = await triggersWithBuckets(tx, id);
  await openWindows(ctx, tx, { id, trigger, except });
}
