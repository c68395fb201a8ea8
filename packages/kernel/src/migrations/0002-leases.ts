import type { Migration } from "../storage/migrate.ts";

export const leasesMigration: Migration = {
  name: "leases",
  up: (t) => `
    create table leases (
      name ${t.text} primary key,
      holder ${t.text} not null,
      token ${t.integer} not null,
      expires ${t.time} not null
    );`,
};
