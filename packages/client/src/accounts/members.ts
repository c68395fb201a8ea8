import type {
  CreatedInvitation,
  Invitation,
  InvitationCreate,
  Member,
  MemberUpdate,
} from "@orchestrator/contract";
import { del, get, patch, post } from "../transport/operation.ts";

export const members = {
  list: get<(accountId: string) => Member[]>("/accounts/{account_id}/members"),
  update: patch<(accountId: string, userId: string, changes: MemberUpdate) => void>(
    "/accounts/{account_id}/members/{user_id}",
  ),
  remove: del<(accountId: string, userId: string) => void>(
    "/accounts/{account_id}/members/{user_id}",
  ),
};

export const invitations = {
  /** The only time that its link is told. */
  create: post<(accountId: string, invitation: InvitationCreate) => CreatedInvitation>(
    "/accounts/{account_id}/invitations",
  ),
  list: get<(accountId: string) => Invitation[]>("/accounts/{account_id}/invitations"),
  revoke: del<(accountId: string, id: string) => void>("/accounts/{account_id}/invitations/{id}"),
};
