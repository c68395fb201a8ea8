// What options may be set to. They are named here again because reading all schemas takes longer
// than a help text may.

import type { AuditEntry, Role } from "@orchestrator/contract";

const ALL_ROLES: Readonly<Record<Role, true>> = {
  viewer: true,
  runner: true,
  developer: true,
  admin: true,
  owner: true,
};
export const ROLE_CHOICES: readonly string[] = Object.keys(ALL_ROLES);

const ALL_RESULTS: Readonly<Record<AuditEntry["result"], true>> = {
  done: true,
  refused: true,
  failed: true,
};
export const AUDIT_RESULT_CHOICES: readonly string[] = Object.keys(ALL_RESULTS);
