export { uptimeMigrations } from "./db/migrations/index.ts";
export { resealMonitors as resealUptimeSecrets } from "./features/monitors/reseal-monitors.service.ts";
export { monitorCommands } from "./monitor-commands.ts";
export { createUptime } from "./service.ts";
export { uptimeSettings } from "./settings.ts";
