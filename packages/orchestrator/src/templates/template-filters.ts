// Filters that templates of notifications are written with. They never throw: the engine would crash on it.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Where something can be looked at; empty where nothing is known about that. */
function linkOf(value: unknown, name: string): string {
  const found: unknown =
    value instanceof Map
      ? value.get(name)
      : (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof found === "string" ? found : "";
}

export const TEMPLATE_FILTERS: Readonly<Record<string, (value: unknown) => string>> = {
  ui_url: (value) => linkOf(value, "ui_url"),
  ui_resource_events_url: (value) => linkOf(value, "ui_events_url"),
  /** The id in the link to a run. */
  flow_run_id: (value) => UUID.exec(typeof value === "string" ? value : "")?.[0] ?? "",
};
