import type { Migration } from "../storage/migrate.ts";

/** One row that is replaced to find out whether the storage takes writes. */
export const writeProbesMigration: Migration = {
  name: "write-probes",
  up: (t) => `
    create table write_probes (
      id ${t.id} primary key,
      filler ${t.text} not null
    );`,
};
