import type { Dialect } from "../storage/dialect.ts";
import type { Migration } from "../storage/migrate.ts";

// Events are found by time, by name, by the resource they are about, and by the resources they
// concern besides. Those last ones are the same for very many events, so each set of them is kept
// once for every day it occurs on, and an event names its set. Events that were there before get
// sets of their own, with their own ids.

const label = (name: string, read: (key: string) => string): string =>
  `coalesce(${read(`prefect.resource.${name}`)}, ${read(`orchestrator.resource.${name}`)})`;

const sqliteLabel = (name: string): string =>
  label(name, (key) => `related.value ->> '$."${key}"'`);
const postgresLabel = (name: string): string => label(name, (key) => `related.value ->> '${key}'`);

/** The related resources of all events as rows: item, resource_id, role. */
const EXISTING: Readonly<Record<Dialect["name"], string>> = {
  sqlite: `select events.*, related.key as item, ${sqliteLabel("id")} as related_resource, ${sqliteLabel("role")} as role
    from events, json_each(events.body, '$.related') related`,
  postgres: `select events.*, related.item, ${postgresLabel("id")} as related_resource, ${postgresLabel("role")} as role
    from events, json_array_elements(events.body -> 'related') with ordinality related (value, item)`,
};

export const eventSearchMigration: Migration = {
  name: "event-search",
  up: (t, { name }) => `
    create table event_related (
      workspace_id ${t.id} not null,
      set_id ${t.id} not null,
      day ${t.text} not null,
      item ${t.integer} not null,
      resource_id ${t.text} not null,
      role ${t.text} not null,
      written ${t.time} not null,
      primary key (workspace_id, set_id, day, item)
    ) ${name === "sqlite" ? "without rowid" : ""};
    alter table events add column related_id ${t.id};
    insert into event_related (workspace_id, set_id, day, item, resource_id, role, written)
      select workspace_id, id, substr(occurred, 1, 10), item, related_resource, coalesce(role, ''), received
      from (${EXISTING[name]}) existing where related_resource is not null;
    update events set related_id = id where id in (select set_id from event_related);
    create index event_related_by_resource on event_related (workspace_id, resource_id, day, set_id, role);
    create index event_related_by_age on event_related (written, workspace_id, set_id, day);
    create index events_by_time on events (workspace_id, occurred, position);
    create index events_by_name on events (workspace_id, event, occurred, position);
    create index events_by_resource on events (workspace_id, resource_id, occurred, position);
    create index events_by_related on events (workspace_id, related_id, occurred, position);`,
};
