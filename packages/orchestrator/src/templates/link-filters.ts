import { charactersOf, filter, isText, type TemplateFilter } from "@orchestrator/jinja";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Where something can be looked at; empty where nothing is known about that. */
const linkOf = (name: string): TemplateFilter =>
  filter("", (run, value) => {
    const found = value === null || isText(value) ? "" : run.memberOf(value, name);
    return isText(found) ? charactersOf(found) : "";
  });

export const LINK_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  ui_url: linkOf("ui_url"),
  ui_resource_events_url: linkOf("ui_events_url"),
  /** The id in the link to a run. */
  flow_run_id: filter("", (_run, value) =>
    isText(value) ? (UUID.exec(charactersOf(value))?.[0] ?? "") : "",
  ),
};
