import { type FullLimit, fractionOf } from "../../../limits/occupancy.rules.ts";
import { releaseHolder } from "../../../limits/release-slots.store.ts";
import { acquireLease, findLimit } from "../../../limits/slots.store.ts";
import { ANY_OR_NONE, abort, allExcept, fromAllExcept, only } from "../rule.ts";
import type { TaskRunRule, TaskRunTransition } from "../task-run-transition.ts";

const MAX_WAIT_SECONDS = 10;

/**
 * A task run takes a slot of the limit of each of its tags; it waits until all of them are free.
 */
export const takeTagSlotsRule: TaskRunRule = {
  name: "take-tag-slots",
  from: fromAllExcept("RUNNING", "CANCELLING"), // these hold them already
  to: only("RUNNING"),
  before: async ({ ctx, tx, run, now }) => {
    const limits = await limitsOf(tx, run.tags);
    if (limits.length === 0) return;
    const closed = limits.find(({ active, slot_limit }) => active && slot_limit === 0);
    if (closed !== undefined) return abort(`The limit ${closed.name} is 0`);
    const lease = await acquireLease(ctx, tx, {
      limitIds: limits.map(({ id }) => id),
      slots: 1,
      holder: { type: "task_run", id: run.id },
      ttlSeconds: null,
      now,
    });
    if ("leaseId" in lease) return;
    return {
      status: "WAIT",
      delaySeconds: waitSeconds(lease.blocking, fractionOf(ctx.ids.uuid4())),
      reason: `No slot is free for ${limits.map(({ name }) => name).join(", ")}`,
    };
  },
  cleanup: async ({ ctx, tx, run, now }) => {
    await releaseHolder(ctx, tx, { type: "task_run", id: run.id, now });
  },
};

/**
 * About as long as a slot is usually held; `random`, from 0 to 1, spreads those who wait for the
 * same one.
 */
export function waitSeconds(full: readonly FullLimit[], random: number): number {
  const averages = full.map(({ limit }) => limit.avg_slot_occupancy_seconds);
  const seconds = Math.min(MAX_WAIT_SECONDS, Math.max(...averages));
  return Math.max(1, Math.round(seconds * (0.75 + 0.5 * random)));
}

/** Whatever ends or interrupts a task run frees its slots, in the same transaction. */
export const releaseTagSlots: TaskRunRule = {
  name: "release-tag-slots",
  from: ANY_OR_NONE,
  to: allExcept("RUNNING", "CANCELLING"),
  written: async ({ ctx, tx, run, now }) => {
    await releaseHolder(ctx, tx, { type: "task_run", id: run.id, now });
  },
};

async function limitsOf(tx: TaskRunTransition["tx"], tags: string) {
  const names = (JSON.parse(tags) as string[]).map((tag) => `tag:${tag}`);
  const limits = await Promise.all(names.map((name) => findLimit(tx, { name })));
  return limits.filter((limit) => limit != null);
}
