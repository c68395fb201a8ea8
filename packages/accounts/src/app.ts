import { type HttpApp, type MountedApi, mountApi } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { allowsAnonymous, openScope, type Scope } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import type { KeyAccess } from "./access/key-cache.ts";
import { installRateHeaders } from "./access/rate-limits.ts";
import { accountRoutes } from "./accounts/accounts.routes.ts";
import { quotaRoutes } from "./accounts/quotas/quotas.routes.ts";
import { removalRoutes } from "./accounts/removal/removal.routes.ts";
import { workspaceRoutes } from "./accounts/workspaces/workspaces.routes.ts";
import { installAudit } from "./audit/audit-hooks.ts";
import { auditRoutes } from "./audit-log/audit.routes.ts";
import type { AccountsContext } from "./context.ts";
import { accessTo, assertRight, credentialIdOf, rightOf } from "./gate/accounts-gate.ts";
import { keyRoutes } from "./keys/keys.routes.ts";
import { serviceAccountRoutes } from "./keys/service-accounts/service-accounts.routes.ts";
import { acceptInvitationRoutes } from "./sign-in/accept-invitation.routes.ts";
import { meRoutes } from "./sign-in/me/me.routes.ts";
import { oidcRoutes } from "./sign-in/oidc/oidc.routes.ts";
import { signInRoutes } from "./sign-in/sign-in.routes.ts";
import { installQuotas } from "./usage/quota-hooks.ts";
import { invitationRoutes } from "./users/invitations/invitations.routes.ts";
import { memberRoutes } from "./users/members/members.routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /**
     * One for each account that the credentials are good for, the oldest first; set for requests
     * about accounts.
     */
    accesses: readonly KeyAccess[];
  }
}

/**
 * Every endpoint about accounts. They stand beside those of the orchestration API, as clients
 * expect them there.
 */
export function mountAccounts(app: HttpApp, ctx: AccountsContext): MountedApi {
  installRateHeaders(app);
  installQuotas(app, ctx.accounting.quotas);
  installAudit(app, ctx);
  return mountApi(
    app,
    {
      prefix: "/api",
      docsPrefix: "/api/accounts",
      title: "Accounts API",
      version: ctx.version,
      description: "Accounts, workspaces, and the keys that open them.",
      malformedJsonStatus: 422,
      securitySchemes: {
        key: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "orchestrator_session" },
      },
      resolveScope: (request) => resolve(ctx, request),
      challenge: ctx.gate.challenge,
    },
    (api) => {
      signInRoutes(api, ctx);
      oidcRoutes(api, ctx);
      invitationRoutes(api, ctx);
      acceptInvitationRoutes(api, ctx);
      meRoutes(api, ctx);
      memberRoutes(api, ctx);
      accountRoutes(api, ctx);
      workspaceRoutes(api, ctx);
      serviceAccountRoutes(api, ctx);
      keyRoutes(api, ctx);
      auditRoutes(api, ctx);
      removalRoutes(api, ctx);
      quotaRoutes(api, ctx);
    },
  );
}

async function resolve(ctx: AccountsContext, request: FastifyRequest): Promise<Scope> {
  if (allowsAnonymous(request)) return ctx.gate.pass(request);
  const accesses = await ctx.gate.identify(request);
  const { account_id, workspace_id } = request.params as NamedIds;
  // Another account is not there, whether it exists or not.
  const access =
    account_id === undefined ? accesses[0] : accessTo(accesses, account_id.toLowerCase());
  if (access === undefined) throw new AppError("not_found", "Not Found");
  request.access = access;
  request.accesses = accesses;
  if (workspace_id !== undefined && !access.workspaceIds.includes(workspace_id.toLowerCase()))
    throw new AppError("not_found", "Not Found");
  assertRight(access, rightOf(request));
  const open = openScope(request.id);
  const [workspaceId = open.workspaceId] = access.workspaceIds;
  const { kind, id } = access.actor;
  return { ...open, workspaceId, credentialId: credentialIdOf(access), caller: { kind, id } };
}

interface NamedIds {
  readonly account_id?: string;
  readonly workspace_id?: string;
}
