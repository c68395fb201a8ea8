import {
  AccountId,
  AccountPartId,
  CreatedInvitation,
  Invitation,
  InvitationCreate,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { inviteUser, listInvitations, revokeInvitation } from "./invitations.service.ts";

export function invitationRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Invitations"];

  api.post(
    "/accounts/:account_id/invitations",
    {
      schema: {
        tags,
        operationId: "createInvitation",
        summary: "Invite somebody; the link is shown this once and is good for seven days",
        params: AccountId,
        body: InvitationCreate,
        response: { 201: CreatedInvitation },
      },
    },
    async ({ access, body }, reply) => reply.code(201).send(await inviteUser(ctx, access, body)),
  );

  api.get(
    "/accounts/:account_id/invitations",
    {
      schema: {
        tags,
        operationId: "listInvitations",
        summary: "The invitations that nobody has accepted yet, oldest first",
        params: AccountId,
        response: { 200: Type.Array(Invitation) },
      },
    },
    ({ access }) => listInvitations(ctx, access),
  );

  api.delete(
    "/accounts/:account_id/invitations/:id",
    {
      schema: {
        tags,
        operationId: "revokeInvitation",
        summary: "Revoke an invitation",
        params: AccountPartId,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params }, reply) => {
      await revokeInvitation(ctx, access, params.id);
      return reply.code(204).send();
    },
  );
}
