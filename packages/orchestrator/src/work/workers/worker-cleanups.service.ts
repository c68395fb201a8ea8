import { CLEANUP_KIND, type WorkerCleanupAnswer } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import {
  changeLease,
  deliverCleanup,
  findInfrastructure,
  findWaitingCleanups,
  insertCleanup,
  lockCleanup,
  removeCleanup,
  removeOldCleanups,
  type WorkerCleanup,
} from "./worker-cleanups.store.ts";

const LEASE_SECONDS = 30;
const MOST_DELIVERIES = 3;
const KEPT_SECONDS = 86_400;
const MOST_LOOKED_AT = 100;

/** There is infrastructure of the pool to be taken down. */
export const cleanupTopic = (poolId: string): string => `cleanup:${poolId}`;

const later = ({ clock }: OrchestratorContext, seconds: number): string =>
  formatMicros(clock.nowMicros() + seconds * 1_000_000);

/**
 * Asks the workers of a run's pool to take down what the run has left behind, if it is known where
 * that is.
 */
export async function requestTeardown(
  ctx: OrchestratorContext,
  scope: Pick<Scope, "workspaceId">,
  run: { readonly flow_run_id: string; readonly state_id: string },
): Promise<void> {
  const queries = ctx.db.in(scope.workspaceId);
  const place = await findInfrastructure(queries, run);
  if (place === null) return;
  const row = {
    id: ctx.ids.uuid7(),
    created: ctx.clock.now(),
    ...place,
    flow_run_id: run.flow_run_id,
    kind: CLEANUP_KIND,
    delivery_count: 0,
    reservation_token: null,
    lease_expires_at: null,
  };
  const { work_pool_id: poolId } = place;
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await removeOldCleanups(tx, { poolId, before: later(ctx, -KEPT_SECONDS) });
    await insertCleanup(tx, row);
    tx.notify(cleanupTopic(poolId));
  });
}

/** What a worker is told, and answers for until its lease runs out. */
export interface CleanupDelivery extends WorkerCleanup {
  readonly reservation_token: string;
  readonly lease_expires_at: string;
}

/**
 * Reserves the oldest that wait, at most `limit`. What several workers were told in vain is given
 * up.
 */
export async function reserveCleanups(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    poolId,
    queueIds,
    limit,
  }: {
    readonly poolId: string;
    /** Null: those of all queues. */
    readonly queueIds: ReadonlySet<string> | null;
    readonly limit: number;
  },
): Promise<readonly CleanupDelivery[]> {
  if (!(await ctx.hearing.listen())) return [];
  const now = ctx.clock.now();
  const ours = await findWaitingCleanups(ctx.db.in(scope.workspaceId), {
    poolId,
    queueIds,
    now,
    limit: MOST_LOOKED_AT,
  });
  const tokens = new Map(ours.map(({ id }) => [id, ctx.ids.uuid4()]));
  const lease_expires_at = later(ctx, LEASE_SECONDS);
  if (limit <= 0 || ours.length === 0) return [];
  const { deliveries, givenUp } = await ctx.db.write(scope.workspaceId, async (tx) => {
    const deliveries: CleanupDelivery[] = [];
    const givenUp: string[] = [];
    for (const { id } of ours) {
      if (deliveries.length >= limit) break;
      const row = await lockCleanup(tx, id);
      if (row === null || isHeld(row, now)) continue;
      if (row.delivery_count >= MOST_DELIVERIES) {
        await removeCleanup(tx, id);
        givenUp.push(row.flow_run_id);
        continue;
      }
      const lease = { reservation_token: tokens.get(id) ?? "", lease_expires_at };
      await deliverCleanup(tx, { id, ...lease });
      deliveries.push({ ...row, ...lease, delivery_count: row.delivery_count + 1 });
    }
    return { deliveries, givenUp };
  });
  if (givenUp.length > 0)
    ctx.log.warn({ flow_run_ids: givenUp }, "No worker took the infrastructure of these runs down");
  return deliveries;
}

const isHeld = ({ lease_expires_at }: WorkerCleanup, now: string): boolean =>
  lease_expires_at !== null && lease_expires_at > now;

/** What became of a worker's answer, in the words that workers know. */
export interface AnswerResult {
  readonly operation: "ack" | "renew" | "release";
  readonly status: "accepted" | "not_found" | "invalid_token" | "expired" | "dead_lettered";
  readonly lease_expires_at: string | null;
  readonly reason: string | null;
}

const OPERATIONS = {
  "cleanup.ack.v1": "ack",
  "cleanup.renew.v1": "renew",
  "cleanup.release.v1": "release",
} as const;

/** Only who was told last, and in time, has a say. */
export async function answerCleanup(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    poolId,
    answer: { type, payload },
  }: { readonly poolId: string; readonly answer: WorkerCleanupAnswer },
): Promise<AnswerResult> {
  const operation = OPERATIONS[type];
  const refused = (status: AnswerResult["status"], reason: string): AnswerResult => ({
    operation,
    status,
    lease_expires_at: null,
    reason,
  });
  const accepted = { operation, status: "accepted", lease_expires_at: null, reason: null } as const;
  const now = ctx.clock.now();
  const lease_expires_at = later(ctx, LEASE_SECONDS);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const { message_id: id, reservation_token } = payload;
    const row = await lockCleanup(tx, id);
    if (row === null) return refused("not_found", "There is no such message any more");
    if (row.reservation_token !== reservation_token)
      return refused("invalid_token", "Another worker was told since");
    if (!isHeld(row, now)) return refused("expired", "The lease has run out");
    if (operation === "renew") {
      await changeLease(tx, { id, reservation_token, lease_expires_at });
      return { ...accepted, lease_expires_at };
    }
    if (operation === "ack") {
      await removeCleanup(tx, id);
      return accepted;
    }
    if (row.delivery_count >= MOST_DELIVERIES) {
      await removeCleanup(tx, id);
      return refused("dead_lettered", "It was tried often enough");
    }
    await changeLease(tx, { id, reservation_token: null, lease_expires_at: null });
    tx.notify(cleanupTopic(poolId));
    return accepted;
  });
}
