import {
  durationBetween,
  flagType,
  type SettingValues,
  setting,
} from "@orchestrator/kernel/settings";

const DAY_MS = 86_400_000;

export const auditSettings = {
  retention: setting({
    name: "ORCHESTRATOR_AUDIT_RETENTION",
    type: durationBetween(DAY_MS, 3650 * DAY_MS),
    default: 365 * DAY_MS,
    summary: "How long entries of the audit log are kept.",
  }),
  machineWork: setting({
    name: "ORCHESTRATOR_AUDIT_MACHINE_WORK",
    type: flagType,
    default: false,
    summary:
      "Whether the audit log also records what workers and runs do: polls, states, logs, events, heartbeats.",
  }),
};

export type AuditSettings = SettingValues<typeof auditSettings>;
