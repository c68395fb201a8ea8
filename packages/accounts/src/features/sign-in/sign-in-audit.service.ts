import type { FastifyRequest } from "fastify";
import type { KeyAccess } from "../../access/key-cache.ts";
import { listMemberships } from "../../access/session-access.store.ts";
import { type Actor, actorOf, auditRow } from "../../audit/audit-row.ts";
import type { AccountsContext } from "../../context.ts";
import { normalEmail } from "../users/users.service.ts";
import { findUserByEmail } from "../users/users.store.ts";

// Who signs in is known only once it is done, so these routes see to their entries in the audit log themselves.

/** One for each account that somebody has come into. */
export async function auditEntrance(
  ctx: AccountsContext,
  request: FastifyRequest,
  accesses: readonly KeyAccess[],
): Promise<void> {
  for (const access of accesses)
    await ctx.audit.store({ ...rowOf(ctx, request, actorOf(access, request)), status: 200 });
}

/** A wrong password for somebody who is there. Nobody waits for it, which would tell that they are. */
export function auditFailure(ctx: AccountsContext, request: FastifyRequest, email: string): void {
  noteFailure(ctx, request, email).catch((error: unknown) => {
    ctx.log.warn({ err: error }, "a failed sign-in could not be noted");
  });
}

async function noteFailure(
  ctx: AccountsContext,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  const user = await findUserByEmail(ctx.db.system, normalEmail(email));
  if (user === null) return;
  const [first] = await listMemberships(ctx.db, user.id);
  if (first === undefined) return;
  const actor: Actor = {
    account_id: first.account_id,
    actor_kind: "user",
    actor_id: user.id,
    actor_name: user.name,
    api_key_id: null,
    api_key_prefix: null,
  };
  ctx.audit.note({ ...rowOf(ctx, request, actor), status: 401, result: "refused" });
}

function rowOf(ctx: AccountsContext, request: FastifyRequest, actor: Actor) {
  const { url: route = "", schema } = request.routeOptions;
  const { method } = request;
  const name = schema?.operationId ?? `${method} ${route}`;
  const operation = { name, method, route, right: "read" as const };
  return auditRow(ctx, request, { actor, operation });
}
