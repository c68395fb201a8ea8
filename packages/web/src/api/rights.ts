// What whoever has signed in may do here. The server decides; this only keeps people from pressing
// what it would refuse.

import type { Role } from "@orchestrator/contract";
import { createContext, useContext } from "react";

/** From the least to the most that somebody may do. */
export const ROLE_ORDER = [
  "viewer",
  "runner",
  "developer",
  "admin",
  "owner",
] as const satisfies Role[];

/**
 * What something takes: to set runs going, to change a workspace, to manage the account, to own it.
 */
export type UiRight = "run" | "write" | "manage" | "own";

const LEAST: Readonly<Record<UiRight, Role>> = {
  run: "runner",
  write: "developer",
  manage: "admin",
  own: "owner",
};

/** Null where nobody is asked who they are, and everybody may do everything. */
export const RoleContext = createContext<Role | null>(null);

export const hasRole = (role: Role, least: Role): boolean =>
  ROLE_ORDER.indexOf(role) >= ROLE_ORDER.indexOf(least);

/** Undefined where they may; else why not, for people. */
export function useRefusal(right: UiRight | undefined): string | undefined {
  const role = useContext(RoleContext);
  if (right === undefined || role === null || hasRole(role, LEAST[right])) return undefined;
  return `The role ${role} may not do this`;
}

export const useMay = (right: UiRight): boolean => useRefusal(right) === undefined;
