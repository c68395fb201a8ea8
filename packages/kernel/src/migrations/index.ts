import type { MigrationList } from "../storage/migrate.ts";
import { eventLog } from "./0001-event-log.ts";
import { leases } from "./0002-leases.ts";
import { eventSearch } from "./0003-event-search.ts";
import { textBlocks } from "./0004-text-blocks.ts";
import { writeProbes } from "./0010-write-probes.ts";
import { hearing } from "./0011-hearing.ts";

export const kernelMigrations: MigrationList = {
  component: "kernel",
  migrations: [eventLog, leases, eventSearch, textBlocks, writeProbes, hearing],
};
