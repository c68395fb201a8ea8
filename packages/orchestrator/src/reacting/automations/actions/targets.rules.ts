// Which resource an action is about.

import type { Action } from "@orchestrator/contract";
import { normaliseUuid } from "@orchestrator/kernel/http";
import type { RelatedResource } from "../../../events/emit.ts";
import {
  type ResourceLabels,
  resourceLabel,
  withoutPrefix,
} from "../../../telemetry/events/labels.rules.ts";
import { ActionFailed } from "../../firings/action-failed.ts";
import type { StoredEvent, StoredFiring } from "../../firings/firings.rules.ts";
import { isTargeted, selectedId, type TargetedAction } from "./receive-action.rules.ts";

export type ResourceKind =
  | "deployment"
  | "flow"
  | "flow-run"
  | "task-run"
  | "work-pool"
  | "work-queue"
  | "automation"
  | "concurrency-limit"
  | "monitor";

const KINDS: Readonly<Record<TargetedAction["type"], ResourceKind>> = {
  "run-deployment": "deployment",
  "pause-deployment": "deployment",
  "resume-deployment": "deployment",
  "pause-work-pool": "work-pool",
  "resume-work-pool": "work-pool",
  "pause-work-queue": "work-queue",
  "resume-work-queue": "work-queue",
  "pause-automation": "automation",
  "resume-automation": "automation",
  "run-check": "monitor",
  "pause-monitor": "monitor",
  "resume-monitor": "monitor",
};

export interface ActionResource {
  readonly kind: ResourceKind;
  readonly id: string;
  /** Told by the events about the action, where it is known. */
  readonly name?: string;
}

/** As the events about the action name it. */
export const asTarget = (target: ActionResource): RelatedResource => ({
  ...target,
  role: "target",
});

/** The resource an action is about; null when it is about none. */
export function actionResourceOf(action: Action, firing: StoredFiring): ActionResource | null {
  if (isTargeted(action)) {
    const kind = KINDS[action.type];
    const id = selectedId(action) ?? involvedId(firing.event, kind);
    if (id === null) throw missing(kind);
    return { kind, id };
  }
  switch (action.type) {
    case "cancel-flow-run":
    case "suspend-flow-run":
    case "resume-flow-run":
    case "delete-flow-run":
    case "change-flow-run-state": {
      const label = resourceLabel(firing.triggering_labels, "resource.id");
      const id = idIn(label ?? "", "flow-run") ?? involvedId(firing.event, "flow-run");
      if (id === null) throw missing("flow-run");
      return { kind: "flow-run", id };
    }
    case "do-nothing":
    case "send-notification":
    case "call-webhook":
      return null;
  }
}

export interface Involved {
  readonly id: string;
  readonly labels: ResourceLabels;
}

/**
 * The first resource of a kind that the event names: the primary one, then the related ones in
 * order.
 */
export function involvedResource(event: StoredEvent | null, kind: ResourceKind): Involved | null {
  const resources: readonly ResourceLabels[] =
    event === null ? [] : [event.resource, ...event.related];
  for (const labels of resources) {
    const id = idIn(resourceLabel(labels, "resource.id") ?? "", kind);
    if (id !== null) return { id, labels };
  }
  return null;
}

function involvedId(event: StoredEvent | null, kind: ResourceKind): string | null {
  return involvedResource(event, kind)?.id ?? null;
}

function idIn(resourceId: string, kind: ResourceKind): string | null {
  const id = withoutPrefix(resourceId, `${kind}.`);
  return id === null ? null : ((normaliseUuid(id) as string | undefined) ?? null);
}

function missing(kind: ResourceKind): ActionFailed {
  return new ActionFailed(`The event names no ${kind.replace("-", " ")}`);
}
