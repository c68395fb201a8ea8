import type { MigrationList } from "@orchestrator/kernel/storage";
import { monitors } from "./0001-monitors.ts";
import { accounts } from "./0002-accounts.ts";
import { results } from "./0003-results.ts";
import { rollups } from "./0004-rollups.ts";
import { incidents } from "./0005-incidents.ts";
import { heartbeats } from "./0006-heartbeats.ts";
import { maintenance } from "./0010-maintenance.ts";
import { dependencies } from "./0011-dependencies.ts";
import { statusPages } from "./0012-status-pages.ts";
import { versions } from "./0013-versions.ts";
import { urlSecrets } from "./0020-url-secrets.ts";

export const uptimeMigrations: MigrationList = {
  component: "uptime",
  migrations: [
    monitors,
    accounts,
    results,
    rollups,
    incidents,
    heartbeats,
    maintenance,
    dependencies,
    statusPages,
    versions,
    urlSecrets,
  ],
  // A monitor that is checked by hand is taken from a process that is gone.
  shared: ["engine_sessions"],
};
