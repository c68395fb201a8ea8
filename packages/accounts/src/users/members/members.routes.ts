import { AccountId, Member, MemberId, MemberUpdate } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { changeRole, removeMember } from "./members.service.ts";
import { listMembersOf } from "./members.store.ts";

export function memberRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Members"];

  api.get(
    "/accounts/:account_id/members",
    {
      schema: {
        tags,
        operationId: "listMembers",
        summary: "The users of the account; those who came first stand first",
        params: AccountId,
        response: { 200: Type.Array(Member) },
      },
    },
    ({ access }) => listMembersOf(ctx.db.system, access.accountId),
  );

  api.patch(
    "/accounts/:account_id/members/:user_id",
    {
      schema: {
        tags,
        operationId: "updateMember",
        summary: "Change what a user may do in the account",
        params: MemberId,
        body: MemberUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params, body }, reply) => {
      await changeRole(ctx, access, { userId: params.user_id, role: body.role });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/accounts/:account_id/members/:user_id",
    {
      schema: {
        tags,
        operationId: "removeMember",
        summary: "Remove a user from the account, which ends what they do there at once",
        description:
          "The keys the user has for the account go with it, and so does the user who is a member of no other.",
        params: MemberId,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params }, reply) => {
      await removeMember(ctx, access, params.user_id);
      return reply.code(204).send();
    },
  );
}
