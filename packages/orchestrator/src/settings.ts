import { durationBetween, flag, type SettingValues, setting } from "@orchestrator/kernel";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const orchestratorSettings = {
  csrfProtectionEnabled: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_PROTECTION_ENABLED",
    type: flag,
    default: false,
    summary: "Whether requests that change something must carry a token from `/csrf-token`.",
  }),
  csrfTokenLifetime: setting({
    name: "ORCHESTRATOR_SERVER_CSRF_TOKEN_LIFETIME",
    type: durationBetween(MINUTE_MS, 30 * DAY_MS),
    default: 60 * MINUTE_MS,
    summary: "How long a token against cross-site requests is good for.",
  }),
  eventRetention: setting({
    name: "ORCHESTRATOR_EVENTS_RETENTION",
    type: durationBetween(MINUTE_MS, 3650 * DAY_MS),
    default: 7 * DAY_MS,
    summary: "How long events are kept.",
  }),
} as const;

export type OrchestratorSettings = SettingValues<typeof orchestratorSettings>;
