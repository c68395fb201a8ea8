import { documents } from "./uptime/documents.ts";
import { heartbeats } from "./uptime/heartbeats.ts";
import { incidents } from "./uptime/incidents.ts";
import { login, uptimeServer } from "./uptime/login.ts";
import { maintenance } from "./uptime/maintenance.ts";
import { monitors } from "./uptime/monitors.ts";
import { reports } from "./uptime/reports.ts";
import { results } from "./uptime/results.ts";
import { statusPages, statusReports } from "./uptime/status-pages.ts";

/** Everything the uptime API can be asked for. */
export const uptimeResources = {
  documents,
  heartbeats,
  incidents,
  login,
  maintenance,
  monitors,
  reports,
  results,
  server: uptimeServer,
  statusPages,
  statusReports,
};
