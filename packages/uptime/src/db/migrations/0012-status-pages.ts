import type { Migration } from "@orchestrator/kernel/storage";

export const statusPagesMigration: Migration = {
  name: "status-pages",
  up: (t) => `
    create table status_pages (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      created_at ${t.time} not null,
      updated_at ${t.time} not null,
      slug ${t.text} not null,
      title ${t.text} not null,
      description ${t.text},
      theme ${t.text} not null,
      published ${t.flag} not null,
      show ${t.json} not null,
      "groups" ${t.json} not null
    );
    create unique index status_pages_by_slug on status_pages (workspace_id, slug);
    create table status_reports (
      id ${t.id} primary key,
      workspace_id ${t.id} not null,
      page_id ${t.id} not null,
      incident_id ${t.id},
      created_at ${t.time} not null,
      updated_at ${t.time} not null,
      resolved_at ${t.time},
      title ${t.text} not null,
      impact ${t.text} not null,
      state ${t.text} not null,
      updates ${t.json} not null
    );
    create index status_reports_by_age on status_reports (workspace_id, page_id, created_at, id);
    create index incidents_by_end on incidents (workspace_id, ended_at) where ended_at is not null;`,
};
