import type { MigrationList } from "../storage/migrate.ts";
import { eventLogMigration } from "./0001-event-log.ts";
import { leasesMigration } from "./0002-leases.ts";
import { eventSearchMigration } from "./0003-event-search.ts";
import { textBlocksMigration } from "./0004-text-blocks.ts";
import { writeProbesMigration } from "./0010-write-probes.ts";
import { hearingMigration } from "./0011-hearing.ts";

export const kernelMigrations: MigrationList = {
  component: "kernel",
  migrations: [
    eventLogMigration,
    leasesMigration,
    eventSearchMigration,
    textBlocksMigration,
    writeProbesMigration,
    hearingMigration,
  ],
};
