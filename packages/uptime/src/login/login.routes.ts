import { LoginRequest, LoginSession } from "@orchestrator/contract";
import { type ApiInstance, isFromElsewhere } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { Type } from "typebox";
import type { UptimeContext } from "../context.ts";
import { findUptimeAccount } from "./accounts.store.ts";
import { logIn } from "./login.service.ts";
import { sessionCookie, sessionTokenOf } from "./session-cookie.ts";
import { endLoginSession, startLoginSession, useLoginSession } from "./sessions.service.ts";

const tags = ["Login"];

export function loginRoutes(api: ApiInstance, ctx: UptimeContext): void {
  // Only here are forms taken: everywhere else a body is JSON.
  api.register((forms, _options, done) => {
    forms.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, text, parsed) =>
        parsed(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    loginRoute(forms, ctx);
    done();
  });

  api.post(
    "/logout",
    {
      schema: {
        tags,
        operationId: "logOut",
        summary: "End the session",
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const token = sessionTokenOf(request);
      if (token !== null) await endLoginSession(ctx, request.scope.workspaceId, token);
      reply.header("set-cookie", sessionCookie(request, "", 0));
      return reply.code(204).send();
    },
  );

  api.get(
    "/session",
    {
      schema: {
        tags,
        operationId: "readSession",
        summary: "Tell who is logged in",
        response: { 200: LoginSession },
      },
    },
    async (request) => {
      const { workspaceId } = request.scope;
      const token = sessionTokenOf(request);
      const session = token === null ? null : await useLoginSession(ctx, workspaceId, token);
      const account = await findUptimeAccount(ctx.db.in(workspaceId));
      return { username: account?.username ?? "", expires_at: session?.expires_at ?? null };
    },
  );
}

function loginRoute(api: ApiInstance, ctx: UptimeContext): void {
  api.post(
    "/login",
    {
      config: { isPublic: true },
      schema: {
        tags,
        operationId: "logIn",
        security: [],
        summary: "Begin a session, for browsers",
        body: LoginRequest,
        response: { 200: LoginSession },
      },
    },
    async (request, reply) => {
      if (isFromElsewhere(request.headers))
        throw new AppError("forbidden", "The request comes from another site");
      const { workspaceId } = request.scope;
      const account = await logIn(ctx, workspaceId, { ...request.body, address: request.ip });
      const earlier = sessionTokenOf(request);
      const { token, session } = await startLoginSession(ctx, workspaceId, { account, earlier });
      const maxAge = Math.floor(ctx.settings.sessionLifetime / 1000);
      reply.header("set-cookie", sessionCookie(request, token, maxAge));
      return session;
    },
  );
}
