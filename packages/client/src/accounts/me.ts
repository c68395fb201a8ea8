import type {
  Me,
  MeUpdate,
  MyAccess,
  MyAccount,
  MyWorkspace,
  PasswordChange,
  UserSession,
} from "@orchestrator/contract";
import { del, get, patch, post } from "../transport/operation.ts";

/** Whoever asks, and what they are good for. */
export const me = {
  read: get<() => Me>("/me"),
  update: patch<(changes: MeUpdate) => Me>("/me"),
  changePassword: post<(change: PasswordChange) => void>("/me/password"),
  listAccounts: get<() => MyAccount[]>("/me/accounts"),
  listWorkspaces: get<() => MyWorkspace[]>("/me/workspaces"),
  /** Who asks, with both lists, in one answer. */
  readAccess: get<() => MyAccess>("/me/access"),
  listSessions: get<() => UserSession[]>("/me/sessions"),
  endSession: del<(id: string) => void>("/me/sessions/{id}"),
};
