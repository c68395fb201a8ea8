// What whoever has signed in may do here. The server decides; this only keeps people from pressing what it would refuse.

import type { Role } from "@orchestrator/contract";
import { createContext, useContext } from "react";

/** From the least to the most that somebody may do. */
export const ROLES = ["viewer", "runner", "developer", "admin", "owner"] as const satisfies Role[];

/** What something takes: to set runs going, to change a workspace, to manage the account, to own it. */
export type Right = "run" | "write" | "manage" | "own";

const LEAST: Readonly<Record<Right, Role>> = {
  run: "runner",
  write: "developer",
  manage: "admin",
  own: "owner",
};

/** Null where nobody is asked who they are, and everybody may do everything. */
export const RoleContext = createContext<Role | null>(null);

export const reaches = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Undefined where they may; else why not, for people. */
export function useRefusal(right: Right | undefined): string | undefined {
  const role = useContext(RoleContext);
  if (right === undefined || role === null || reaches(role, LEAST[right])) return undefined;
  return `The role ${role} may not do this`;
}

export const useMay = (right: Right): boolean => useRefusal(right) === undefined;
