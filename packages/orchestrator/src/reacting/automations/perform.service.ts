// What each type of action does, through the same verbs that the API has.

import type { Action, ActionOf, FlowRun, OrchestrationResult } from "@orchestrator/contract";
import { type JsonMap, readJson } from "@orchestrator/exact-json";
import { httpStatusOf } from "@orchestrator/kernel/http";
import { formatMicros, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { MonitorCommands, OrchestratorContext } from "../../context.ts";
import type { RelatedResource } from "../../events/emit.ts";
import { createDeploymentRun } from "../../flows/deployments/create-run.service.ts";
import { setPaused, thinOutScheduledRuns } from "../../flows/deployments/deployments.service.ts";
import { deleteFlowRun } from "../../runs/flow-runs/flow-runs.service.ts";
import { resumeFlowRun } from "../../runs/flow-runs/resume.service.ts";
import { thinOutRun } from "../../runs/flow-runs/run-removal.service.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { updateWorkPool } from "../../work/pools/work-pools.service.ts";
import { updateWorkQueue } from "../../work/queues/work-queues.service.ts";
import { assertRunAllowed } from "../../workspace/quotas/used-up.service.ts";
import type { Content } from "../deliveries/content.ts";
import { enqueueDelivery } from "../deliveries/enqueue.service.ts";
import { ActionFailed } from "../firings/action-failed.ts";
import type { StoredFiring } from "../firings/firings.rules.ts";
import { findPoolName } from "./actions/pool-names.store.ts";
import { renderMessage, renderParameters } from "./actions/render.service.ts";
import { type ActionResource, actionResourceOf, asTarget } from "./actions/targets.rules.ts";
import { setEnabled } from "./automations.service.ts";

const SUSPENDED_MICROS = 3_600_000_000;
/** The answer to a state that a run does not enter is no error. */
const NOT_ACCEPTED = 200;

/** An action with all that can be worked out before the transaction it is carried out in. */
export interface ReadyAction {
  readonly action: Action;
  readonly target: ActionResource | null;
  readonly firing: StoredFiring;
  readonly index: number;
  /** Identifies this one carrying out of the action. */
  readonly invocation: string;
  /** The event that will tell that it was begun. */
  readonly triggeredEventId: string;
  readonly parameters: JsonMap;
  /** What a message says; null for actions that send none. */
  readonly content: Content | null;
}

export interface Performed {
  /** The resources that it has touched. */
  readonly related: readonly RelatedResource[];
  /** False for a message that is still to be sent; whoever sends it tells what has become of it. */
  readonly isDone: boolean;
}

export async function readyAction(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: Omit<ReadyAction, "target" | "parameters" | "content">,
): Promise<ReadyAction> {
  const { action, firing } = asked;
  const target = actionResourceOf(action, firing);
  const given = action.type === "run-deployment" ? (action.parameters ?? {}) : {};
  const parameters = await renderParameters({ ctx, scope, firing }, given);
  const content = await renderMessage({ ctx, scope, firing }, action);
  return { ...asked, target, parameters, content };
}

/**
 * What would be too much for one transaction is done in pieces before it; no harm is done where the
 * action then fails.
 */
export async function deleteInBatchesFirst(
  ctx: OrchestratorContext,
  scope: Scope,
  { action, target }: Pick<ReadyAction, "action" | "target">,
): Promise<void> {
  if (target === null) return;
  if (action.type === "delete-flow-run") await thinOutRun(ctx, scope, target.id);
  if (action.type === "pause-deployment") await thinOutScheduledRuns(ctx, scope, target.id);
}

/**
 * Carries out the action, as far as that can be part of a transaction. Throws when it cannot be
 * done.
 */
export async function perform(
  ctx: OrchestratorContext,
  scope: Scope,
  ready: ReadyAction,
): Promise<Performed> {
  const { content } = ready;
  const target = await named(ctx, scope, ready.target);
  const made = await act(ctx, scope, { ...ready, target, id: target?.id ?? "" });
  const related = target === null ? made : [asTarget(target), ...made];
  return { related, isDone: content === null };
}

/** Pools are changed by their names, and told of by them as well. */
async function named(
  ctx: OrchestratorContext,
  scope: Scope,
  target: ActionResource | null,
): Promise<ActionResource | null> {
  if (target?.kind !== "work-pool") return target;
  const name = await findPoolName(ctx.db.in(scope.workspaceId), target.id);
  if (name === null) throw new ActionFailed(`Work pool ${target.id} not found`);
  return { ...target, name };
}

type Acting = ReadyAction & { readonly id: string };

/** Answers what has come into being, or what it goes through. */
async function act(
  ctx: OrchestratorContext,
  scope: Scope,
  ready: Acting,
): Promise<RelatedResource[]> {
  const { action, id } = ready;
  switch (action.type) {
    case "run-deployment":
      return [await runDeployment(ctx, scope, { ...ready, action })];
    case "pause-deployment":
    case "resume-deployment":
      await setPaused(ctx, scope, { id, paused: action.type === "pause-deployment" });
      return [];
    case "pause-work-pool":
    case "resume-work-pool": {
      const name = ready.target?.name ?? "";
      const is_paused = action.type === "pause-work-pool";
      await updateWorkPool(ctx, scope, { name, changes: { is_paused } });
      return [];
    }
    case "pause-work-queue":
    case "resume-work-queue": {
      const is_paused = action.type === "pause-work-queue";
      await updateWorkQueue(ctx, scope, { address: { id }, changes: { is_paused } });
      return [];
    }
    case "pause-automation":
    case "resume-automation":
      await setEnabled(ctx, scope, { id, enabled: action.type === "resume-automation" });
      return [];
    case "run-check":
      await monitorsOf(ctx).requestCheck(ctx, scope, id);
      return [];
    case "pause-monitor":
    case "resume-monitor":
      await monitorsOf(ctx).setEnabled(ctx, scope, {
        id,
        enabled: action.type === "resume-monitor",
      });
      return [];
    case "delete-flow-run":
      await deleteFlowRun(ctx, scope, id);
      return [];
    case "cancel-flow-run":
    case "suspend-flow-run":
    case "resume-flow-run":
    case "change-flow-run-state":
      assertAccepted(action, await changeRun(ctx, scope, { ...ready, action }));
      return [];
    case "send-notification":
    case "call-webhook":
      return enqueue(ctx, scope, { ...ready, action });
    case "do-nothing":
      return [];
  }
}

function monitorsOf({ monitors }: OrchestratorContext): MonitorCommands {
  if (monitors === null) throw new ActionFailed("This server has no monitors");
  return monitors;
}

async function enqueue(
  ctx: OrchestratorContext,
  scope: Scope,
  ready: Acting & { readonly action: ActionOf<"send-notification" | "call-webhook"> },
): Promise<RelatedResource[]> {
  const { action, index, invocation, firing, content, triggeredEventId: follows } = ready;
  if (content === null) throw new Error("The message was not rendered");
  const message = { action, index, invocation, firing, content, follows };
  return enqueueDelivery(ctx, scope, message);
}

type RunChange = ActionOf<
  "cancel-flow-run" | "suspend-flow-run" | "resume-flow-run" | "change-flow-run-state"
>;

async function changeRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { action, id, firing }: Acting & { readonly action: RunChange },
): Promise<OrchestrationResult> {
  const by = `by the automation ${firing.automation.name}`;
  switch (action.type) {
    case "cancel-flow-run": {
      const state = { type: "CANCELLING", message: `Cancelled ${by}` } as const;
      const result = await setFlowRunState(ctx, scope, { id, state });
      // What runs nowhere is cancelled at once, in place of the state that was asked for.
      const isDone = result.status === "REJECT" && result.state?.type === "CANCELLED";
      return isDone ? { ...result, status: "ACCEPT" } : result;
    }
    case "suspend-flow-run": {
      const pause_timeout = formatMicros(ctx.clock.nowMicros() + SUSPENDED_MICROS);
      const state_details = { pause_timeout, pause_reschedule: true };
      const state = { type: "PAUSED", name: "Suspended", message: `Suspended ${by}` } as const;
      return setFlowRunState(ctx, scope, { id, state: { ...state, state_details } });
    }
    case "resume-flow-run":
      return resumeFlowRun(ctx, scope, { id, runInput: null, clientVersion: null });
    case "change-flow-run-state": {
      const { state: type, name = null, message = null, force } = action;
      const state = { type, name, message: message ?? `Changed ${by}` };
      return setFlowRunState(ctx, scope, { id, state, force });
    }
  }
}

async function runDeployment(
  ctx: OrchestratorContext,
  scope: Scope,
  ready: Acting & { readonly action: ActionOf<"run-deployment"> },
): Promise<RelatedResource> {
  const { id, action, firing, index, invocation, parameters } = ready;
  const { automation } = firing;
  assertRunAllowed(ctx, scope);
  const delay = Math.round((action.schedule_after ?? 0) * 1_000_000);
  const scheduled_time = formatMicros(ctx.clock.nowMicros() + delay);
  try {
    const { json } = await createDeploymentRun(ctx, scope, {
      id,
      createdBy: { id: automation.id, type: "AUTOMATION", display_value: automation.name },
      body: {
        parameters: parameters as NonNullable<typeof action.parameters>,
        job_variables: action.job_variables ?? null,
        state: { type: "SCHEDULED", state_details: { scheduled_time } },
        idempotency_key: `automation ${automation.id} ${index} ${invocation}`,
      },
    });
    const run = readJson(json) as FlowRun;
    return { kind: "flow-run", id: run.id, role: "flow-run", name: run.name };
  } catch (error) {
    if (!isAppError(error, "conflict")) throw error;
    throw new ActionFailed(error.message, {
      status_code: httpStatusOf(error),
      validation_error: error.message,
    });
  }
}

function assertAccepted(action: RunChange, { status, details }: OrchestrationResult): void {
  if (status === "ACCEPT") return;
  const reason = details.reason ?? "no reason was given";
  const answered = action.type === "resume-flow-run" ? {} : { status_code: NOT_ACCEPTED };
  throw new ActionFailed(`The state was not accepted (${status}): ${reason}`, answered);
}
