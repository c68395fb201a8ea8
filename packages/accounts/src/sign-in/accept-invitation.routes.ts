import { InvitationAccept, InvitationLook, InvitationView, Me } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { isAppError } from "@orchestrator/kernel/pure";
import type { AccountsContext } from "../context.ts";
import {
  acceptInvitation,
  viewInvitation,
} from "../users/invitations/accept-invitation.service.ts";
import { describeMe } from "./me/me.service.ts";
import { refuseStrangers } from "./sign-in.routes.ts";
import { signInBrowser } from "./sign-in.service.ts";
import { auditEntrance, auditFailure } from "./sign-in-audit.service.ts";
import { readSignedInUser } from "./signed-in.service.ts";

/** For people who have nothing but the token of an invitation. */
export function acceptInvitationRoutes(api: ApiInstance, ctx: AccountsContext): void {
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
      const present = await readSignedInUser(ctx, request);
      return viewInvitation(ctx, request.body.token, present?.actor.id);
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
      const present = await readSignedInUser(ctx, request);
      const here = present?.actor.id ?? null;
      const accepting = { ...request.body, address: request.ip, userId: here };
      const { userId, accountId } = await acceptInvitation(ctx, accepting).catch(
        async (error: unknown) => {
          if (isAppError(error, "unauthorized")) {
            const { email } = await viewInvitation(ctx, request.body.token);
            auditFailure(ctx, request, { email, status: 401 });
          }
          throw error;
        },
      );
      if (present === null || userId !== here) {
        const holder = { user_id: userId, api_key_id: null };
        return signInBrowser(ctx, holder, { request, reply, joined: [accountId] });
      }
      await auditEntrance(ctx, request, [{ ...present, accountId }]);
      return describeMe(ctx, present);
    },
  );
}
