// What a caller leaves out because it is the default of its own classes: the types of triggers and
// actions.

import { isMap, type JsonMap } from "@orchestrator/exact-json";
import type { ApiDialect } from "../../dialect.ts";

const DEEPEST = 10;

/**
 * Names what is clear from the rest, or is taken to be. Changes what was sent before its shape is
 * checked.
 */
export function nameTypes(body: unknown, { guessesActions }: ApiDialect): void {
  if (!isMap(body)) return;
  nameTrigger(body["trigger"], 0);
  if (!guessesActions) return;
  for (const key of ["actions", "actions_on_trigger", "actions_on_resolve"]) {
    const actions = body[key];
    if (Array.isArray(actions)) for (const action of actions) nameAction(action);
  }
}

function nameTrigger(trigger: unknown, depth: number): void {
  if (!isMap(trigger)) return;
  const { triggers } = trigger;
  if (!("type" in trigger)) Object.assign(trigger, { type: typeOfTrigger(trigger) });
  if (!Array.isArray(triggers) || depth >= DEEPEST) return;
  for (const child of triggers) nameTrigger(child, depth + 1);
}

function typeOfTrigger(trigger: JsonMap): string {
  if (!("triggers" in trigger)) return "event";
  return "require" in trigger ? "compound" : "sequence";
}

function nameAction(action: unknown): void {
  if (isMap(action) && !("type" in action)) Object.assign(action, { type: typeOfAction(action) });
}

/** Where several would fit, the one that the established server takes. */
function typeOfAction(action: JsonMap): string {
  if ("block_document_id" in action) return "body" in action ? "send-notification" : "call-webhook";
  if ("state" in action) return "change-flow-run-state";
  if ("work_pool_id" in action) return "pause-work-pool";
  if ("work_queue_id" in action) return "pause-work-queue";
  if ("automation_id" in action) return "pause-automation";
  return "deployment_id" in action || action["source"] === "inferred"
    ? "run-deployment"
    : "do-nothing";
}
