import type { MigrationList } from "@orchestrator/kernel/storage";
import { monitorsMigration } from "./0001-monitors.ts";
import { uptimeAccountsMigration } from "./0002-accounts.ts";
import { resultsMigration } from "./0003-results.ts";
import { rollupsMigration } from "./0004-rollups.ts";
import { incidentsMigration } from "./0005-incidents.ts";
import { heartbeatsMigration } from "./0006-heartbeats.ts";
import { maintenanceMigration } from "./0010-maintenance.ts";
import { dependenciesMigration } from "./0011-dependencies.ts";
import { statusPagesMigration } from "./0012-status-pages.ts";
import { versionsMigration } from "./0013-versions.ts";
import { urlSecretsMigration } from "./0020-url-secrets.ts";

export const uptimeMigrations: MigrationList = {
  component: "uptime",
  migrations: [
    monitorsMigration,
    uptimeAccountsMigration,
    resultsMigration,
    rollupsMigration,
    incidentsMigration,
    heartbeatsMigration,
    maintenanceMigration,
    dependenciesMigration,
    statusPagesMigration,
    versionsMigration,
    urlSecretsMigration,
  ],
  // A monitor that is checked by hand is taken from a process that is gone.
  shared: ["engine_sessions"],
};
