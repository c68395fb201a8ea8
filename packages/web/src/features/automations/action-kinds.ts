// What automations can do, in words.
import type { Action } from "@orchestrator/contract";
import type { ActionType } from "./draft.ts";

export const ACTION_WORDS: Readonly<Record<ActionType, string>> = {
  "send-notification": "Send a notification",
  "call-webhook": "Call a webhook",
  "run-deployment": "Run a deployment",
  "pause-deployment": "Pause a deployment",
  "resume-deployment": "Resume a deployment",
  "cancel-flow-run": "Cancel the run",
  "suspend-flow-run": "Suspend the run",
  "resume-flow-run": "Resume the run",
  "delete-flow-run": "Delete the run",
  "change-flow-run-state": "Change the state of the run",
  "run-check": "Check a monitor now",
  "pause-monitor": "Pause a monitor",
  "resume-monitor": "Resume a monitor",
  "pause-work-pool": "Pause a work pool",
  "resume-work-pool": "Resume a work pool",
  "pause-work-queue": "Pause a work queue",
  "resume-work-queue": "Resume a work queue",
  "pause-automation": "Pause an automation",
  "resume-automation": "Resume an automation",
  "do-nothing": "Do nothing (record only)",
};

export const ACTION_OPTIONS = Object.entries(ACTION_WORDS) as [ActionType, string][];

/** What an action is about, where it can be named or taken from the event. */
export type TargetKind = "deployment" | "work-pool" | "work-queue" | "automation" | "monitor";

const TARGETS: readonly (readonly [TargetKind, string])[] = [
  ["deployment", "deployment_id"],
  ["work-pool", "work_pool_id"],
  ["work-queue", "work_queue_id"],
  ["automation", "automation_id"],
  ["monitor", "monitor_id"],
];

export interface ActionTargetKind {
  readonly kind: TargetKind;
  /** The field that names it. */
  readonly field: string;
}

export function actionTargetOf(type: ActionType): ActionTargetKind | undefined {
  if (type === "run-check") return { kind: "monitor", field: "monitor_id" };
  const found = TARGETS.find(([kind]) => type.endsWith(`-${kind}`));
  return found && { kind: found[0], field: found[1] };
}

/** A new action of a kind, with what it cannot be without. */
export function newAction(type: ActionType): Action {
  if (type === "send-notification")
    return { type, block_document_id: "", subject: "", body: "{{ event.event }}" };
  if (type === "call-webhook") return { type, block_document_id: "", payload: "" };
  if (type === "change-flow-run-state") return { type, state: "FAILED" };
  const target = actionTargetOf(type);
  if (target === undefined) return { type } as Action;
  return { type, source: "selected", [target.field]: null } as unknown as Action;
}
