// Actions as a caller gives them, made complete; or what is wrong with them.

import type { Action } from "@orchestrator/contract";
import { writeReadableJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { ApiDialect } from "../../../dialect.ts";

const DEFAULT_SUBJECT = "Automated notification";

/** The field that names the resource of an action which may also be taken from the event. */
export const TARGETS = {
  "run-deployment": "deployment_id",
  "pause-deployment": "deployment_id",
  "resume-deployment": "deployment_id",
  "pause-work-pool": "work_pool_id",
  "resume-work-pool": "work_pool_id",
  "pause-work-queue": "work_queue_id",
  "resume-work-queue": "work_queue_id",
  "pause-automation": "automation_id",
  "resume-automation": "automation_id",
  "run-check": "monitor_id",
  "pause-monitor": "monitor_id",
  "resume-monitor": "monitor_id",
} as const;

export type TargetedAction = Extract<Action, { type: keyof typeof TARGETS }>;

export function isTargeted(action: Action): action is TargetedAction {
  return action.type in TARGETS;
}

/** The resource that an action names itself; null when it is taken from the event. */
export function selectedId(action: TargetedAction): string | null {
  const field = TARGETS[action.type];
  return (action as unknown as Readonly<Record<string, string | null>>)[field] ?? null;
}

/** Complete, and without keys that no action knows. */
export function receiveActions(
  actions: readonly Action[],
  { key, dialect }: { readonly key: string; readonly dialect: ApiDialect },
): Action[] {
  return actions.map((action, index) =>
    isTargeted(action)
      ? receiveTargeted(action, ["body", key, index])
      : receiveOther(action, dialect),
  );
}

function receiveOther(action: Exclude<Action, TargetedAction>, dialect: ApiDialect): Action {
  switch (action.type) {
    case "change-flow-run-state": {
      const { type, state, name = null, message = null, force } = action;
      return { type, state, name, message, force: force ?? false };
    }
    case "send-notification": {
      const { type, block_document_id, subject, body } = action;
      return { type, block_document_id, subject: subject ?? DEFAULT_SUBJECT, body };
    }
    case "call-webhook": {
      const { type, block_document_id } = action;
      const payload = action.payload ?? "";
      const isTold = typeof payload === "string" || !dialect.tellsPayloadsAsText;
      return { type, block_document_id, payload: isTold ? payload : writeReadableJson(payload) };
    }
    case "do-nothing":
    case "cancel-flow-run":
    case "suspend-flow-run":
    case "resume-flow-run":
    case "delete-flow-run":
      return { type: action.type };
  }
}

function receiveTargeted(action: TargetedAction, loc: readonly (string | number)[]): Action {
  const field = TARGETS[action.type];
  const source = action.source ?? "selected";
  const id = selectedId(action);
  if (source === "selected" && id === null) throw refusal(loc, `${field} is required`);
  if (source === "inferred" && id !== null)
    throw refusal(loc, `${field} is not allowed where the source is inferred`);
  const known = { type: action.type, source, [field]: id } as Action;
  if (action.type !== "run-deployment") return known;
  const { parameters = null, job_variables = null, schedule_after } = action;
  return { ...known, parameters, job_variables, schedule_after: schedule_after ?? 0 } as Action;
}

function refusal(loc: readonly (string | number)[], problem: string): InvalidRequestError {
  return new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}

/** The templates that an action holds, wherever they stand in it. */
export function templatesOf(action: Action): string[] {
  if (action.type === "send-notification") return [action.subject ?? "", action.body];
  if (action.type === "call-webhook") return textsIn(action.payload);
  return action.type === "run-deployment" ? textsIn(action.parameters) : [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
