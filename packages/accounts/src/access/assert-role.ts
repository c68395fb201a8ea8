import { ROLES, type Role } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { KeyAccess } from "./key-cache.ts";

/** A caller may neither give nor take away a role that is greater than their own. */
export function assertRole(access: KeyAccess, role: Role): void {
  if (ROLES.indexOf(role) <= ROLES.indexOf(access.role)) return;
  throw new AppError("forbidden", `The role ${access.role} does not go as far as ${role}`);
}
