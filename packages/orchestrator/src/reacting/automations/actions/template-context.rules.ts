// What templates of actions see of the event and the firing.

import { charactersOf, isText, ModelValue } from "@orchestrator/jinja";
import {
  type ResourceLabels,
  resourceLabel,
  withoutPrefix,
} from "../../../telemetry/events/labels.rules.ts";
import type { StoredEvent, StoredFiring } from "../../firings/firings.rules.ts";
import { LabelTree, ResourceView } from "./resource-view.rules.ts";
import { viewFieldsOf } from "./run-view.rules.ts";

type Values = Readonly<Record<string, unknown>>;

/** A path of the web UI as people can follow it. */
export type UiLink = (path: string) => string;

/** Where the web UI is, and the workspace within it; without an address of it, links are paths. */
export const linksTo = (uiUrl: string | null, place = ""): UiLink => {
  const base = uiUrl?.replace(/\/+$/, "") ?? "";
  return (path) => `${base}${place}${path}`;
};

/**
 * All but what has to be read from the database. Of the automation that may be all that is stored
 * of it now, where it is still there.
 */
export function firingContext(firing: StoredFiring, link: UiLink, stored: Values = {}): Values {
  const { id, triggered, triggering_labels, event } = firing;
  const automation = { ...stored, ...firing.automation };
  const now = stored["trigger"] as Values | undefined;
  // A trigger that was changed since has another id.
  const trigger =
    now?.["id"] === firing.trigger.id ? { ...now, ...firing.trigger } : firing.trigger;
  const about = eventView(event, link);
  const fields = viewFieldsOf({ id, trigger, triggered, triggering_labels });
  const view = new ModelValue("Firing", { fields: { ...fields, triggering_event: about } });
  const parts = firing.firings.map((part) => ({
    triggering_labels: part.triggering_labels,
    triggering_event: eventView(part.triggering_event, link),
  }));
  const ui_url = link(`/automations/automation/${automation.id}`);
  return {
    automation: new ModelValue("Automation", {
      fields: viewFieldsOf(automation),
      derived: { ui_url },
    }),
    event: about,
    labels: new LabelTree(triggering_labels),
    firing: view,
    firings:
      parts.length === 0 ? [view] : parts.map((part) => new ModelValue("Firing", { fields: part })),
    events: parts.length === 0 ? [about] : parts.map(({ triggering_event }) => triggering_event),
  };
}

function eventView(event: StoredEvent | null, link: UiLink): ModelValue | null {
  if (event === null) return null;
  const resource = resourceView(event.resource, link);
  const related = event.related.map((labels) => resourceView(labels, link));
  const inRoles = new Map<string, ResourceView[]>();
  event.related.forEach((labels, index) => {
    const role = resourceLabel(labels, "resource.role") ?? "";
    inRoles.set(role, [...(inRoles.get(role) ?? []), ...related.slice(index, index + 1)]);
  });
  const ui_url = link(`/events/event/${event.occurred.slice(0, 10)}/${event.id}`);
  const { occurred, event: name, payload, id, ...rest } = event;
  const fields = { occurred, event: name, ...rest, resource, related, payload, id };
  return new ModelValue("ReceivedEvent", {
    fields: viewFieldsOf(fields),
    derived: {
      involved_resources: [resource, ...related],
      resource_in_role: new Map([...inRoles].map(([role, [first]]) => [role, first])),
      resources_in_role: inRoles,
      ui_url,
      url: ui_url,
    },
    functions: {
      find_resource_label: ({ positional: [label] }) =>
        label !== undefined && isText(label) ? findLabel(event, charactersOf(label)) : null,
    },
  });
}

/** A label of the resource, or behind `related:<role>:` of the first one in that role. */
function findLabel({ resource, related }: StoredEvent, label: string): string | null {
  const [, role, name = ""] = /^related:([^:]*):([^:]*)$/.exec(label) ?? [];
  if (role === undefined) return ownLabel(resource, label);
  const found = related.find((labels) => resourceLabel(labels, "resource.role") === role);
  return found === undefined ? ownLabel(resource, label) : ownLabel(found, name);
}

const ownLabel = (labels: ResourceLabels, name: string): string | null =>
  Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;

/** The pages of resources that have one; the id of each is the last part of its own. */
const PAGES: Readonly<Record<string, string>> = {
  "flow-run": "/runs/flow-run/",
  "task-run": "/runs/task-run/",
  flow: "/flows/flow/",
  deployment: "/deployments/deployment/",
  "work-pool": "/work-pools/work-pool/",
  automation: "/automations/automation/",
  monitor: "/monitors/",
};

function pageOf(id: string): string | null {
  for (const [kind, page] of Object.entries(PAGES)) {
    const own = withoutPrefix(id, `${kind}.`);
    if (own !== null) return `${page}${own}`;
  }
  return null;
}

function resourceView(labels: ResourceLabels, link: UiLink): ResourceView {
  const id = resourceLabel(labels, "resource.id") ?? "";
  const page = pageOf(id);
  return new ResourceView(labels, {
    page: page === null ? null : link(page),
    events: link(`/events?resource=${encodeURIComponent(id)}`),
  });
}
