// An automation while it is being written.
import type { Action, Automation, Deployment, EventTrigger } from "@orchestrator/contract";
import type { Values } from "../../ui/schema-shape.ts";
import { filledOverOwn } from "../parameters/parameters-schema.ts";

export interface CompoundTriggerDraft {
  readonly type: "compound";
  readonly triggers: readonly TriggerDraft[];
  readonly require: number | "any" | "all";
  readonly within: number | null;
}

export interface SequenceTriggerDraft {
  readonly type: "sequence";
  readonly triggers: readonly TriggerDraft[];
  readonly within: number | null;
}

export type TriggerDraft = EventTrigger | CompoundTriggerDraft | SequenceTriggerDraft;
export type ActionType = Action["type"];

export interface AutomationDraft {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
  readonly trigger: TriggerDraft;
  readonly actions: readonly Action[];
  readonly actions_on_trigger: readonly Action[];
  readonly actions_on_resolve: readonly Action[];
}

/** Triggers within triggers: on the innermost level there are only events. */
export const DEEPEST = 3;

export const newEventTrigger = (): EventTrigger => ({
  type: "event",
  posture: "Reactive",
  expect: [],
  threshold: 1,
  within: 0,
});

/** The same trigger as another kind, with what can be kept. */
export function asKind(trigger: TriggerDraft, type: TriggerDraft["type"]): TriggerDraft {
  if (type === trigger.type) return trigger;
  const within = trigger.within ?? null;
  if (type === "event") {
    const first = trigger.type === "event" ? trigger : trigger.triggers[0];
    return first?.type === "event" ? first : newEventTrigger();
  }
  const triggers = trigger.type === "event" ? [trigger, newEventTrigger()] : trigger.triggers;
  const span = trigger.type === "event" ? 3600 : within;
  return type === "compound"
    ? { type, require: "all", within: span, triggers }
    : { type, within: span, triggers };
}

type Several = CompoundTriggerDraft | SequenceTriggerDraft;

/** Others within it; of fewer there cannot be more that have to fire. */
export function withTriggers(trigger: Several, triggers: readonly TriggerDraft[]): Several {
  return trigger.type === "compound" && typeof trigger.require === "number"
    ? { ...trigger, triggers, require: Math.min(trigger.require, triggers.length) }
    : { ...trigger, triggers };
}

export function automationDraftOf(automation: Automation): AutomationDraft {
  const { name, description, enabled, tags, actions, actions_on_trigger, actions_on_resolve } =
    automation;
  const trigger = automation.trigger as TriggerDraft;
  return {
    name,
    description,
    enabled,
    tags,
    trigger: withoutIds(trigger),
    actions,
    actions_on_trigger,
    actions_on_resolve,
  };
}

/** With the parameters that the form of each run shows: whoever saves it has seen them. */
export const withShownParameters = (
  actions: readonly Action[],
  deployments: ReadonlyMap<string, Deployment>,
): readonly Action[] =>
  actions.map((action) => {
    if (action.type !== "run-deployment") return action;
    const deployment = deployments.get(action.deployment_id ?? "");
    if (!deployment?.parameter_openapi_schema) return action;
    const parameters = filledOverOwn(deployment, (action.parameters ?? {}) as Values);
    return { ...action, parameters };
  });

/** Ids of triggers are the server's own. */
function withoutIds(trigger: TriggerDraft): TriggerDraft {
  const { id: _, ...rest } = trigger as TriggerDraft & { readonly id?: string };
  if (!("triggers" in rest)) return rest as TriggerDraft;
  return { ...rest, triggers: rest.triggers.map(withoutIds) } as TriggerDraft;
}
