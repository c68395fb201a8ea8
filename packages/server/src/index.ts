export {
  type DatabaseStatus,
  databaseStatus,
  resetDatabase,
  restoreCommands,
  stampDatabase,
  upgradeDatabase,
} from "./database-maintenance.ts";
export { resealAllSecrets } from "./reseal-secrets.ts";
export { retireSealingKeys } from "./retire-keys.ts";
export { rotateSealingKey } from "./rotate-key.ts";
export { type ProgramSettings, programSettings } from "./settings.ts";
export { settingsInForce, settingsPage, unknownSettingWarnings } from "./settings-report.ts";
export {
  type BackgroundServices,
  type RunningServer,
  startBackgroundServices,
  startServerProcess,
} from "./start-server.ts";
export { StartupError } from "./startup-error.ts";
export { VERSION } from "./version.ts";
export type { WorkerCredentials } from "./worker-credentials.ts";
