import type { ExecutorEvent } from "@orchestrator/contract";
import { type AppendedEvent, appendEvents } from "@orchestrator/kernel/events";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { fenceExecutors } from "../journal/journal.service.ts";
import { upsertEntries } from "../journal/journal.store.ts";
import { isProblem, receiveEvent } from "./events.rules.ts";
import { entryOf } from "./reported-result.rules.ts";
import { isTaskRunEvent } from "./task-run-event.rules.ts";

/**
 * Stores all of the events or, when one of them is not acceptable, none. Those that are known
 * already stay as they are. What an executor reports is stored with its results, in one commit. On
 * a disk that runs short only states of task runs are taken, which arrive as events.
 */
export async function receiveEvents(
  ctx: OrchestratorContext,
  scope: Scope,
  batch: readonly ExecutorEvent[],
): Promise<void> {
  const problem = ctx.disk.bulkProblem();
  if (problem !== null && !batch.every(({ event }) => isTaskRunEvent(event))) throw problem;
  const received = ctx.clock.now();
  const events = batch.map((event, index) => {
    const result = receiveEvent(event, received);
    if (!isProblem(result)) return result;
    const loc = ["body", index, ...result.path];
    const msg = `Value error, ${result.message}`;
    throw new InvalidRequestError([{ type: "value_error", loc, msg }]);
  });
  const claims = batch.flatMap(({ claim }) => claim ?? []);
  const entries = batch.flatMap((event) => entryOf(event, received) ?? []);
  if (claims.length === 0 && entries.length === 0) return storeEvents(ctx, scope, events);
  await ctx.db.write(scope.workspaceId, async (tx) => {
    await fenceExecutors(tx, claims);
    await appendEvents(tx, events);
    upsertEntries(tx, entries);
  });
}

export async function storeEvents(
  ctx: OrchestratorContext,
  scope: Scope,
  events: readonly AppendedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await ctx.db.write(scope.workspaceId, (tx) => appendEvents(tx, events));
}
