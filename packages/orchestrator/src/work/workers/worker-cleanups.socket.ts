import type { WorkerCleanupAnswer } from "@orchestrator/contract";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import {
  answerCleanup,
  type CleanupDelivery,
  cleanupTopic,
  reserveCleanups,
} from "./worker-cleanups.service.ts";

/** Tells one worker of infrastructure to be taken down, so much at once as it wants. */
export interface CleanupFeed {
  /** Looks whether there is something to tell; also what others were told in vain. */
  readonly look: () => void;
  readonly answer: (answer: WorkerCleanupAnswer) => Promise<void>;
  readonly close: () => void;
}

export interface CleanupFeedOptions {
  readonly poolId: string;
  /** Null: all queues of the pool. */
  readonly queueIds: ReadonlySet<string> | null;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly send: (type: string, payload: string) => Promise<unknown>;
}

export function createCleanupFeed(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolId, queueIds, limit, signal, send }: CleanupFeedOptions,
): CleanupFeed {
  /** Message → until when the worker answers for it. */
  const told = new Map<string, string>();
  let looking: Promise<void> | null = null;
  let isWanted = false;

  const lookOnce = async (): Promise<void> => {
    const now = ctx.clock.now();
    for (const [id, until] of told) if (until <= now) told.delete(id);
    const room = limit - told.size;
    for (const delivery of await reserveCleanups(ctx, scope, { poolId, queueIds, limit: room })) {
      told.set(delivery.id, delivery.lease_expires_at);
      await send("cleanup.message.v1", messageJson(delivery));
    }
  };
  const lookWhileWanted = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await lookOnce().catch((error: unknown) => {
        if (!signal.aborted)
          ctx.log.warn({ err: error }, "A worker could not be told what to take down");
      });
    }
    looking = null;
  };
  const look = (): void => {
    isWanted = true;
    looking ??= lookWhileWanted();
  };
  const close = ctx.db.wakeUps.on(cleanupTopic(poolId), look);
  look();

  return {
    look,
    close,
    async answer(answer) {
      const { message_id } = answer.payload;
      const result = await answerCleanup(ctx, scope, { poolId, answer });
      if (result.lease_expires_at === null) told.delete(message_id);
      else told.set(message_id, result.lease_expires_at);
      const payload = { request_frame_id: answer.id, message_id, ...result, detail: null };
      await send("cleanup.operation_result.v1", JSON.stringify(payload));
      look();
    },
  };
}

function messageJson({
  id,
  flow_run_id,
  infrastructure_pid,
  ...delivery
}: CleanupDelivery): string {
  return JSON.stringify({
    message_id: id,
    ...delivery,
    target: { flow_run_id, infrastructure_pid },
    data: {},
  });
}
