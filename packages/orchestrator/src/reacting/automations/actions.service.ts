// An action is carried out in the transaction that takes it off the list and tells of it: once, or
// not at all.

import type { Action } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { httpStatusOf, InvalidRequestError } from "@orchestrator/kernel/http";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent, type RelatedResource } from "../../events/emit.ts";
import { ACTION_OPERATIONS } from "../../service-identities.rules.ts";
import { scopeOfService } from "../../service-scope.ts";
import {
  actionExecuted,
  actionFailed,
  actionTriggered,
  answerOf,
} from "../firings/action-events.rules.ts";
import { ActionFailed } from "../firings/action-failed.ts";
import type { StoredFiring } from "../firings/firings.rules.ts";
import {
  type ClaimedAction,
  claimActions,
  hasFreeActions,
  settleAction,
} from "./actions/actions.store.ts";
import { joinedContext } from "./actions/joined-context.ts";
import { actionResourceOf, asTarget } from "./actions/targets.rules.ts";
import { deleteInBatchesFirst, perform, readyAction } from "./perform.service.ts";
import { recordCaused } from "./triggers/chain.service.ts";

/** Few, so that all of them are done long before the claim ends. */
const AT_ONCE = 20;
const MAX_ATTEMPTS = 10;

/** Somebody else has the action by now. */
class ClaimLost extends Error {}

/** Carries out the actions that nobody has in hand, and tells how many. */
export async function executeActions(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  let settled = 0;
  while (!signal.aborted && (await hasFreeActions(ctx.db))) {
    const claim = ctx.ids.uuid4();
    const claimed = await ctx.db.writeSystem((tx) => claimActions(tx, { claim, limit: AT_ONCE }));
    // Others are at work on what is left.
    if (claimed.length === 0) break;
    const counts = await Promise.all(
      byFiring(claimed).map((actions) => carryOutInOrder(ctx, actions, claim)),
    );
    settled += counts.reduce((sum, count) => sum + count, 0);
  }
  return settled;
}

/**
 * The actions of one firing come one after another; firings have nothing to do with each other and
 * share commits.
 */
function byFiring(actions: readonly ClaimedAction[]): ClaimedAction[][] {
  const firings = new Map<string, ClaimedAction[]>();
  for (const action of actions) {
    const key = `${action.automation_id} ${action.created}`;
    firings.set(key, [...(firings.get(key) ?? []), action]);
  }
  return [...firings.values()];
}

async function carryOutInOrder(
  ctx: OrchestratorContext,
  actions: readonly ClaimedAction[],
  claim: string,
): Promise<number> {
  let settled = 0;
  for (const action of actions) if (await carryOut(ctx, { ...action, claim })) settled += 1;
  return settled;
}

type OwnAction = ClaimedAction & { readonly claim: string };

/** Tells whether the action is settled, one way or the other. */
async function carryOut(ctx: OrchestratorContext, row: OwnAction): Promise<boolean> {
  try {
    await execute(ctx, row);
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    const reason = reasonOf(error);
    if (reason === null && row.attempts < MAX_ATTEMPTS) {
      // Perhaps the database is away; it is tried again when the claim has ended.
      ctx.log.error({ err: error, action: row.id }, "An action of an automation cannot be done");
      return false;
    }
    return giveUp(ctx, row, {
      reason: reason ?? "An unexpected error, which the log describes",
      details:
        error instanceof ActionFailed ? error.details : answerOf(typeOf(row), httpStatusOf(error)),
    });
  }
}

async function execute(ctx: OrchestratorContext, row: OwnAction): Promise<void> {
  const action = readJson(row.action) as Action;
  const scope = scopeOfService(ctx, "automations", {
    operation: ACTION_OPERATIONS[action.type],
    workspaceId: row.workspace_id,
    requestId: row.id,
  });
  const firing = readJson(row.firing) as StoredFiring;
  const follows = ctx.ids.uuid7();
  const ready = await readyAction(ctx, scope, {
    action,
    firing,
    index: row.action_index,
    invocation: row.id,
    triggeredEventId: follows,
  });
  await deleteInBatchesFirst(ctx, scope, ready);
  await ctx.db.writeSystem(async (system) => {
    const tx = system.inWorkspace(row.workspace_id);
    if (!(await settleAction(tx, row))) throw new ClaimLost();
    const made: string[] = [];
    const { related, isDone } = await perform(joinedContext(ctx, system, made), scope, ready);
    const { depth = 1, root = firing.event?.id ?? firing.triggered_event_id } = firing;
    await recordCaused(ctx, tx, { ids: made, depth, root });
    const told = tell(ctx, row, { related });
    await emitResourceEvent(ctx, tx, actionTriggered(told, follows));
    const details = answerOf(action.type);
    if (isDone) await emitResourceEvent(ctx, tx, actionExecuted(told, { follows, details }));
  });
}

async function giveUp(
  ctx: OrchestratorContext,
  row: OwnAction,
  failure: { readonly reason: string; readonly details: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  return ctx.db.write(row.workspace_id, async (tx: Transaction) => {
    if (!(await settleAction(tx, row))) return false;
    const told = tell(ctx, row, { related: aimedAt(row) });
    const follows = ctx.ids.uuid7();
    await emitResourceEvent(ctx, tx, actionTriggered(told, follows));
    await emitResourceEvent(ctx, tx, actionFailed(told, { follows, ...failure }));
    return true;
  });
}

/** What the action was to be done to, as far as that could be told. */
function aimedAt(row: OwnAction): RelatedResource[] {
  try {
    const target = actionResourceOf(
      readJson(row.action) as Action,
      readJson(row.firing) as StoredFiring,
    );
    return target === null ? [] : [asTarget(target)];
  } catch (error) {
    if (error instanceof ActionFailed) return [];
    throw error;
  }
}

function tell(
  ctx: OrchestratorContext,
  row: OwnAction,
  { related }: { readonly related: readonly RelatedResource[] },
) {
  const firing = readJson(row.firing) as StoredFiring;
  const now = ctx.clock.now();
  return { type: typeOf(row), index: row.action_index, invocation: row.id, firing, related, now };
}

const typeOf = ({ action }: OwnAction): Action["type"] => (JSON.parse(action) as Action).type;

/** Why it was refused; null when that was not expected. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ActionFailed || isAppError(error)) {
    const isPassing = isAppError(error, "unavailable") || isAppError(error, "too_many_requests");
    return isPassing ? null : error.message;
  }
  if (!(error instanceof InvalidRequestError)) return null;
  return error.problems.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}
