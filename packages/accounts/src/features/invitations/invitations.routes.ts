import {
  AccountId,
  AccountPartId,
  CreatedInvitation,
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationLook,
  InvitationView,
  Me,
} from "@orchestrator/contract";
import { type ApiInstance, isAppError } from "@orchestrator/kernel";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { describeMe } from "../me/me.service.ts";
import { refuseStrangers } from "../sign-in/sign-in.routes.ts";
import { signIn } from "../sign-in/sign-in.service.ts";
import { auditEntrance, auditFailure } from "../sign-in/sign-in-audit.service.ts";
import { signedIn } from "../sign-in/signed-in.service.ts";
import { acceptInvitation, lookAtInvitation } from "./accept-invitation.service.ts";
import { invite, listInvitations, revokeInvitation } from "./invitations.service.ts";

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
    async ({ access, body }, reply) => reply.code(201).send(await invite(ctx, access, body)),
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

  guestRoutes(api, ctx);
}

/** For those who have nothing but the token. */
function guestRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Sign-in"];
  const config = { isPublic: true };

  api.post(
    "/auth/invitations/look",
    {
      config,
      schema: {
        tags,
        operationId: "lookAtInvitation",
        security: [],
        summary: "What an invitation is for",
        body: InvitationLook,
        response: { 200: InvitationView },
      },
    },
    async (request) => {
      const present = await signedIn(ctx, request);
      return lookAtInvitation(ctx, request.body.token, present?.actor.id);
    },
  );

  api.post(
    "/auth/invitations/accept",
    {
      config,
      schema: {
        tags,
        operationId: "acceptInvitation",
        security: [],
        summary: "Accept an invitation, which begins a session: the answer sets a cookie",
        body: InvitationAccept,
        response: { 200: Me },
      },
    },
    async (request, reply) => {
      refuseStrangers(request.headers);
      const present = await signedIn(ctx, request);
      const here = present?.actor.id ?? null;
      const accepting = { ...request.body, address: request.ip, userId: here };
      const { userId, accountId } = await acceptInvitation(ctx, accepting).catch(
        async (error: unknown) => {
          if (isAppError(error, "unauthorized")) {
            const { email } = await lookAtInvitation(ctx, request.body.token);
            auditFailure(ctx, request, { email, status: 401 });
          }
          throw error;
        },
      );
      if (present === null || userId !== here) {
        const holder = { user_id: userId, api_key_id: null };
        return signIn(ctx, holder, { request, reply, joined: [accountId] });
      }
      await auditEntrance(ctx, request, [{ ...present, accountId }]);
      return describeMe(ctx, present);
    },
  );
}
