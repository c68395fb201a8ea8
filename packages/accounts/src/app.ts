import {
  AppError,
  type HttpApp,
  type MountedApi,
  mountApi,
  openScope,
  type Scope,
} from "@orchestrator/kernel";
import type { FastifyRequest } from "fastify";
import { assertRight, rightOf } from "./access/accounts-gate.ts";
import type { KeyAccess } from "./access/key-cache.ts";
import type { AccountsContext } from "./context.ts";
import { accountRoutes } from "./features/accounts/accounts.routes.ts";
import { keyRoutes } from "./features/keys/keys.routes.ts";
import { meRoutes } from "./features/me/me.routes.ts";
import { serviceAccountRoutes } from "./features/service-accounts/service-accounts.routes.ts";
import { workspaceRoutes } from "./features/workspaces/workspaces.routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the key of the request opens; set for every request about accounts. */
    access: KeyAccess;
  }
}

/** Every endpoint about accounts. They stand beside those of the orchestration API, as clients expect them there. */
export function mountAccounts(app: HttpApp, ctx: AccountsContext): MountedApi {
  return mountApi(
    app,
    {
      prefix: "/api",
      docsPrefix: "/api/accounts",
      title: "Accounts API",
      version: ctx.version,
      description: "Accounts, workspaces, and the keys that open them.",
      malformedJsonStatus: 422,
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      resolveScope: (request) => resolve(ctx, request),
      challenge: ctx.gate.challenge,
    },
    (api) => {
      meRoutes(api, ctx);
      accountRoutes(api, ctx);
      workspaceRoutes(api, ctx);
      serviceAccountRoutes(api, ctx);
      keyRoutes(api, ctx);
    },
  );
}

async function resolve(ctx: AccountsContext, request: FastifyRequest): Promise<Scope> {
  const access = await ctx.gate.identify(request);
  assertReached(access, request.params as NamedIds);
  assertRight(access, rightOf(request));
  request.access = access;
  const open = openScope(request.id);
  const [workspaceId = open.workspaceId] = access.workspaceIds;
  return { ...open, workspaceId, caller: { kind: access.actor.kind, id: access.actor.id } };
}

interface NamedIds {
  readonly account_id?: string;
  readonly workspace_id?: string;
}

/** Another account is not there, whether it exists or not. */
function assertReached(
  { accountId, workspaceIds }: KeyAccess,
  { account_id, workspace_id }: NamedIds,
): void {
  const isOwn = account_id === undefined || account_id.toLowerCase() === accountId;
  const isOpen = workspace_id === undefined || workspaceIds.includes(workspace_id.toLowerCase());
  if (!isOwn || !isOpen) throw new AppError("not_found", "Not Found");
}
