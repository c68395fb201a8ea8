import {
  Me,
  MeUpdate,
  MyAccess,
  MyAccount,
  MyWorkspace,
  PasswordChange,
  SessionId,
  UserSession,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { endOwnSession, listSessions } from "../sessions/sessions.service.ts";
import { changePassword, updateMe } from "./change-me.service.ts";
import { describeMe, listMyAccounts, listMyWorkspaces } from "./me.service.ts";

const tags = ["Me"];

export function meRoutes(api: ApiInstance, ctx: AccountsContext): void {
  api.get(
    "/me",
    {
      schema: {
        tags,
        operationId: "readMe",
        summary: "Who asks and what they may do",
        response: { 200: Me },
      },
    },
    ({ access }) => describeMe(ctx, access),
  );

  api.patch(
    "/me",
    {
      schema: {
        tags,
        operationId: "updateMe",
        summary: "Change the given fields of the user who asks",
        description:
          "A key must not open less than its user may. The email is chosen by who has none yet, and by admins and owners; others are invited under the new one.",
        body: MeUpdate,
        response: { 200: Me },
      },
    },
    async ({ access, accesses, body }) => {
      await updateMe(ctx, { access, accesses }, body);
      return describeMe(ctx, access);
    },
  );

  api.post(
    "/me/password",
    {
      schema: {
        tags,
        operationId: "changePassword",
        summary: "Change the password of the user who asks, which ends all other sessions",
        description:
          "`current_password` is needed where there is one. A key must not open less than its user may.",
        body: PasswordChange,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, body, ip: address }, reply) => {
      await changePassword(ctx, access, { ...body, address });
      return reply.code(204).send();
    },
  );

  api.get(
    "/me/accounts",
    {
      schema: {
        tags,
        operationId: "listMyAccounts",
        summary: "The accounts that the key or the session is good for, oldest first",
        response: { 200: Type.Array(MyAccount) },
      },
    },
    ({ accesses }) => listMyAccounts(ctx, accesses),
  );

  api.get(
    "/me/workspaces",
    {
      schema: {
        tags,
        operationId: "listMyWorkspaces",
        summary: "The workspaces that the key or the session is good for, oldest first",
        response: { 200: Type.Array(MyWorkspace) },
      },
    },
    ({ accesses }) => listMyWorkspaces(ctx, accesses),
  );

  api.get(
    "/me/access",
    {
      schema: {
        tags,
        operationId: "readMyAccess",
        summary: "Who asks, with the accounts and workspaces, in one answer",
        response: { 200: MyAccess },
      },
    },
    async ({ access, accesses }) => {
      const [me, accounts, workspaces] = await Promise.all([
        describeMe(ctx, access),
        listMyAccounts(ctx, accesses),
        listMyWorkspaces(ctx, accesses),
      ]);
      return { me, accounts, workspaces };
    },
  );

  sessionRoutes(api, ctx);
}

function sessionRoutes(api: ApiInstance, ctx: AccountsContext): void {
  api.get(
    "/me/sessions",
    {
      schema: {
        tags,
        operationId: "listMySessions",
        summary: "The sessions of the user who asks, newest first",
        response: { 200: Type.Array(UserSession) },
      },
    },
    ({ access }) => listSessions(ctx, access),
  );

  api.delete(
    "/me/sessions/:id",
    {
      schema: {
        tags,
        operationId: "endMySession",
        summary: "End a session, which ends what is done with it at once",
        params: SessionId,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params }, reply) => {
      await endOwnSession(ctx, access, params.id);
      return reply.code(204).send();
    },
  );
}
