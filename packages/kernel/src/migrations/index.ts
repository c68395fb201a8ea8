import type { MigrationList } from "../storage/migrate.ts";
import { eventLog } from "./0001-event-log.ts";
import { leases } from "./0002-leases.ts";

export const kernelMigrations: MigrationList = {
  component: "kernel",
  migrations: [eventLog, leases],
};
