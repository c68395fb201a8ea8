import type { Migration } from "@orchestrator/kernel/storage";

// A collection only points at its newest artifact; the view shows it with that artifact's content.
// There always is one: the outer join says that collections are read first, and not all artifacts
// there ever were.

export const artifactsMigration: Migration = {
  name: "artifacts",
  up: (t) => `
    create table artifacts (
      id ${t.id} not null,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      key ${t.text},
      type ${t.text},
      description ${t.text},
      data ${t.json},
      metadata_ ${t.json},
      flow_run_id ${t.id},
      task_run_id ${t.id},
      primary key (workspace_id, id)
    );
    create index artifacts_by_key on artifacts (workspace_id, key, id) where key is not null;
    create index artifacts_by_flow_run on artifacts (workspace_id, flow_run_id, id) where flow_run_id is not null;
    create index artifacts_by_task_run on artifacts (workspace_id, task_run_id, id) where task_run_id is not null;
    create table artifact_collections (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      key ${t.text} not null,
      latest_id ${t.id} not null,
      unique (workspace_id, key)
    );
    create index artifact_collections_by_id on artifact_collections (workspace_id, id);
    create index artifact_collections_by_updated on artifact_collections (workspace_id, updated, id);
    create view latest_artifacts as
      select
        collection.id, collection.workspace_id, collection.created, collection.updated, collection.key, collection.latest_id,
        latest.type, latest.description, latest.data, latest.metadata_, latest.flow_run_id, latest.task_run_id
      from artifact_collections collection
      left join artifacts latest
        on latest.workspace_id = collection.workspace_id and latest.id = collection.latest_id and latest.key = collection.key;`,
};
