export { orchestratorMigrations } from "./db/migrations/index.ts";
export { DIALECT_NAMES, type DialectName } from "./dialect.ts";
export { resealSecrets as resealOrchestratorSecrets } from "./reseal-secrets.ts";
export { createOrchestrator, type OrchestratorOptions } from "./service.ts";
export { type OrchestratorSettings, orchestratorSettings } from "./settings.ts";
