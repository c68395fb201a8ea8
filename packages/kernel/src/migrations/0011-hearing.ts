import type { Migration } from "../storage/migrate.ts";

export const hearingMigration: Migration = {
  name: "hearing",
  up: (t) => `
    create table hearing (
      service ${t.text} primary key,
      heard ${t.time} not null,
      since ${t.time} not null
    );
    create table hearing_gaps (
      service ${t.text} not null,
      began ${t.time} not null,
      ended ${t.time} not null,
      primary key (service, ended, began)
    );`,
};
