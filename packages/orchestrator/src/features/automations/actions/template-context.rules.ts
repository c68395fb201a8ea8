// What templates of actions see of the event and the firing.

import { labelOf, type ResourceLabels, withoutPrefix } from "../../events/labels.rules.ts";
import type { StoredEvent, StoredFiring } from "./firings.rules.ts";

type Values = Readonly<Record<string, unknown>>;

/** A path of the web UI as people can follow it. */
export type Link = (path: string) => string;

/** Where the web UI is, and the workspace within it; without an address of it, links are paths. */
export const linksTo = (uiUrl: string | null, place = ""): Link => {
  const base = uiUrl?.replace(/\/+$/, "") ?? "";
  return (path) => `${base}${place}${path}`;
};

/** All but what has to be read from the database. */
export function firingContext(firing: StoredFiring, link: Link): Values {
  const { id, automation, trigger, triggered, triggering_labels, event } = firing;
  const about = eventView(event, link);
  const view = { id, trigger, triggered, triggering_labels, triggering_event: about };
  const parts = firing.firings.map((part) => ({
    triggering_labels: part.triggering_labels,
    triggering_event: eventView(part.triggering_event, link),
  }));
  return {
    automation: { ...automation, ui_url: link(`/automations/automation/${automation.id}`) },
    event: about,
    labels: dotted(triggering_labels),
    firing: view,
    firings: parts.length === 0 ? [view] : parts,
    events: parts.length === 0 ? [about] : parts.map(({ triggering_event }) => triggering_event),
  };
}

function eventView(event: StoredEvent | null, link: Link): Values | null {
  if (event === null) return null;
  const related = event.related.map((labels) => resourceView(labels, link));
  const inRoles = new Map<string, Values[]>();
  event.related.forEach((labels, index) => {
    const role = labelOf(labels, "resource.role") ?? "";
    const view = related[index] ?? {};
    inRoles.set(role, [...(inRoles.get(role) ?? []), view]);
  });
  return {
    ...event,
    resource: resourceView(event.resource, link),
    related,
    resource_in_role: Object.fromEntries([...inRoles].map(([role, [first]]) => [role, first])),
    resources_in_role: Object.fromEntries(inRoles),
    ui_url: link(`/events/event/${event.occurred.slice(0, 10)}/${event.id}`),
  };
}

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

function resourceView(labels: ResourceLabels, link: Link): Values {
  const id = labelOf(labels, "resource.id") ?? "";
  const page = pageOf(id);
  return {
    ...labels,
    id,
    name: labelOf(labels, "resource.name") ?? "",
    role: labelOf(labels, "resource.role") ?? "",
    labels: dotted(labels),
    ...(page !== null && { ui_url: link(page) }),
    ui_events_url: link(`/events?resource=${encodeURIComponent(id)}`),
  };
}

/** Labels to be read as `labels["a.b"]` and as `labels.a.b`. */
function dotted(labels: ResourceLabels): Values {
  const tree: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(labels)) {
    const parts = name.split(".");
    const last = parts.pop() ?? "";
    let place = tree;
    for (const part of parts) {
      const next = Object.hasOwn(place, part) ? place[part] : undefined;
      const branch = typeof next === "object" && next !== null ? next : {};
      define(place, part, branch);
      place = branch as Record<string, unknown>;
    }
    if (!Object.hasOwn(place, last) || typeof place[last] !== "object") define(place, last, value);
  }
  for (const [name, value] of Object.entries(labels))
    if (name.includes(".")) define(tree, name, value);
  return tree;
}

/** A label may be named like something every object has. */
function define(place: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(place, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** The state of a run as the event tells it: by now it may be in another. */
export function toldState(event: StoredEvent | null): Values | null {
  if (event === null) return null;
  const { resource } = event;
  const type = labelOf(resource, "state-type");
  if (type === undefined) return null;
  return {
    type,
    name: labelOf(resource, "state-name") ?? "",
    message: labelOf(resource, "state-message") ?? "",
    timestamp: labelOf(resource, "state-timestamp") ?? event.occurred,
  };
}
