// What the labels of an event say, in either spelling of the names (`prefect.resource.id`,
// `orchestrator.resource.id`).
import type { ReceivedEvent, Static } from "@orchestrator/contract";

export type ReceivedLogEvent = Static<typeof ReceivedEvent>;
export type EventLabels = Readonly<Record<string, string>>;

const labelOf = (labels: EventLabels, ending: string): string | undefined =>
  Object.entries(labels).find(([name]) => name.endsWith(ending))?.[1];

export const resourceId = (labels: EventLabels): string => labelOf(labels, ".resource.id") ?? "";
export const roleOf = (labels: EventLabels): string => labelOf(labels, ".resource.role") ?? "";

export function resourceName(labels: EventLabels): string {
  return labelOf(labels, ".resource.name") ?? labels["name"] ?? resourceId(labels);
}

/** What else the labels say, beside id, role and name. */
export const otherLabels = (labels: EventLabels): readonly (readonly [string, string])[] =>
  Object.entries(labels).filter(([name]) => !/\.resource\.(id|role|name)$/.test(name));

const KIND = /^(?:prefect|orchestrator)\.([a-z-]+)\.(.+)$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `flow-run`, `deployment`, …; undefined for resources that are not the server's own. */
export const resourceKindOf = (id: string): string | undefined => KIND.exec(id)?.[1];

const PAGES: Readonly<Record<string, string>> = {
  "flow-run": "/runs",
  "task-run": "/runs/task-run",
  flow: "/flows",
  deployment: "/deployments",
  automation: "/automations",
  "block-document": "/blocks",
  monitor: "/monitors",
  event: "/events",
};

/** The page about a resource, where there is one. */
export function pageOfResource(labels: EventLabels): string | undefined {
  const [, kind = "", id = ""] = KIND.exec(resourceId(labels)) ?? [];
  if (kind === "work-pool") {
    const name = labelOf(labels, ".resource.name");
    return name === undefined ? undefined : `/work-pools/${encodeURIComponent(name)}`;
  }
  const page = PAGES[kind];
  return page !== undefined && UUID.test(id) ? `${page}/${id}` : undefined;
}
