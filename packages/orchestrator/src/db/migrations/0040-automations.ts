import type { Migration } from "@orchestrator/kernel/storage";

// The one row of the catalogue is held by whoever changes automations or evaluates their triggers,
// so that these happen one after another and a revision that can be seen is complete.

export const automationsMigration: Migration = {
  name: "automations",
  up: (t) => `
    create table automations (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      updated ${t.time} not null,
      name ${t.text} not null,
      description ${t.text} not null,
      enabled ${t.flag} not null,
      tags ${t.tags} not null,
      "trigger" ${t.json} not null,
      actions ${t.json} not null,
      actions_on_trigger ${t.json} not null,
      actions_on_resolve ${t.json} not null
    );
    create index automations_by_name on automations (workspace_id, name);
    create index automations_by_created on automations (workspace_id, created);
    create table automation_resources (
      automation_id ${t.id} not null references automations (id) on delete cascade,
      workspace_id ${t.id} not null,
      resource_id ${t.text} not null,
      is_owner ${t.flag} not null,
      primary key (automation_id, resource_id, is_owner)
    );
    create index automation_resources_by_resource on automation_resources (workspace_id, resource_id);
    create table automation_catalogue (
      name ${t.text} primary key,
      revision ${t.integer} not null
    );
    insert into automation_catalogue (name, revision) values ('automations', 0);
    create table automation_revisions (
      automation_id ${t.id} primary key,
      workspace_id ${t.id} not null,
      revision ${t.integer} not null
    );
    create index automation_revisions_by_revision on automation_revisions (revision);
    create table automation_buckets (
      workspace_id ${t.id} not null,
      automation_id ${t.id} not null,
      trigger_id ${t.id} not null,
      key_hash ${t.text} not null,
      labels ${t.json} not null,
      starts ${t.time} not null,
      ends ${t.time} not null,
      count ${t.integer} not null,
      last_event ${t.json},
      due ${t.time},
      primary key (trigger_id, key_hash)
    );
    create index automation_buckets_by_automation on automation_buckets (automation_id);
    create index automation_buckets_due on automation_buckets (due) where due is not null;
    create table automation_child_firings (
      workspace_id ${t.id} not null,
      automation_id ${t.id} not null,
      parent_id ${t.id} not null,
      child_id ${t.id} not null,
      fired ${t.time} not null,
      position ${t.integer} not null,
      firing ${t.json} not null,
      primary key (parent_id, child_id)
    );
    create index automation_child_firings_by_automation on automation_child_firings (automation_id);
    create table automation_waiting_events (
      workspace_id ${t.id} not null,
      event_id ${t.id} not null,
      follows ${t.id} not null,
      position ${t.integer} not null,
      occurred ${t.time} not null,
      received ${t.time} not null,
      event ${t.text} not null,
      resource_id ${t.text} not null,
      body ${t.json} not null,
      give_up ${t.time} not null,
      primary key (workspace_id, event_id)
    );
    create index automation_waiting_events_by_leader on automation_waiting_events (follows);
    create index automation_waiting_events_give_up on automation_waiting_events (give_up);
    create table automation_actions (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created ${t.time} not null,
      automation_id ${t.id} not null,
      claim ${t.id},
      held_until ${t.time},
      attempts ${t.integer} not null,
      action_index ${t.integer} not null,
      action ${t.json} not null,
      firing ${t.json} not null
    );
    create index automation_actions_by_created on automation_actions (created, id);
    create table automation_traces (
      workspace_id ${t.id} not null,
      automation_id ${t.id} not null,
      kind ${t.text} not null,
      slot ${t.integer} not null,
      number ${t.integer} not null,
      alike ${t.text} not null,
      entry ${t.json} not null,
      primary key (automation_id, kind, slot)
    );
    create index automation_traces_by_number on automation_traces (automation_id, kind, number);
    create table automation_caused_ids (
      workspace_id ${t.id} not null,
      id ${t.id} not null,
      depth ${t.integer} not null,
      written ${t.time} not null,
      primary key (workspace_id, id)
    );
    create index automation_caused_ids_by_age on automation_caused_ids (written);`,
};
