import { AuthMethods, Me, SessionLogin } from "@orchestrator/contract";
import { type ApiInstance, isFromElsewhere } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { Type } from "typebox";
import { sessionCookie } from "../access/session-token.rules.ts";
import type { AccountsContext } from "../context.ts";
import { endSession } from "./sessions/sessions.service.ts";
import { holderOf, offeredAuthMethods, signInBrowser } from "./sign-in.service.ts";

export function signInRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Sign-in"];
  const config = { isPublic: true };

  api.get(
    "/auth/methods",
    {
      config,
      schema: {
        tags,
        operationId: "listAuthMethods",
        security: [],
        summary: "The ways in which somebody may sign in",
        response: { 200: AuthMethods },
      },
    },
    async () => offeredAuthMethods(ctx),
  );

  api.post(
    "/auth/login",
    {
      config,
      schema: {
        tags,
        operationId: "logInToAccount",
        security: [],
        summary: "Begin a session, for browsers: the answer sets a cookie",
        description: "With a key the session opens what the key opens, and ends with it.",
        body: SessionLogin,
        response: { 200: Me },
      },
    },
    async (request, reply) => {
      refuseStrangers(request.headers);
      const holder = await holderOf(ctx, request, request.body);
      return signInBrowser(ctx, holder, { request, reply });
    },
  );

  api.post(
    "/auth/logout",
    {
      config,
      schema: {
        tags,
        operationId: "logOutOfAccount",
        security: [],
        summary: "End the session, if there is one",
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      refuseStrangers(request.headers);
      const token = sessionCookie.read(request);
      if (token !== null) await endSession(ctx, token);
      reply.header("set-cookie", sessionCookie.write(request, "", 0));
      return reply.code(204).send();
    },
  );
}

/** Nobody is logged in, or out, by a page of somebody else. */
export function refuseStrangers(headers: Parameters<typeof isFromElsewhere>[0]): void {
  if (isFromElsewhere(headers))
    throw new AppError("forbidden", "The request comes from another site");
}
