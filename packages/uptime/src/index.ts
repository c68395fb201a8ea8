export { uptimeMigrations } from "./db/migrations/index.ts";
export { monitorCommands } from "./monitor-commands.ts";
export { resealMonitors as resealUptimeSecrets } from "./monitors/reseal-monitors.service.ts";
export { createUptime } from "./service.ts";
export { uptimeSettings } from "./settings.ts";
