import { openScope } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import { findAccountOf } from "../access/access.store.ts";
import type { KeyAccess } from "../access/key-cache.ts";
import { listMemberships } from "../access/session-access.store.ts";
import { type Actor, actorOf, auditRow } from "../audit/audit-row.ts";
import type { AccountsContext } from "../context.ts";
import { normalEmail } from "../users/users.service.ts";
import { findUserByEmail } from "../users/users.store.ts";
import { shownEmail } from "./shown-email.rules.ts";

// Who signs in is known only once it is done, so these routes see to their entries in the audit log
// themselves.

/** One for each account that somebody has come into. */
export async function auditEntrance(
  ctx: AccountsContext,
  request: FastifyRequest,
  accesses: readonly KeyAccess[],
): Promise<void> {
  for (const access of accesses)
    await ctx.audit.store({ ...rowOf(ctx, request, actorOf(access, request)), status: 200 });
}

/** What somebody tried to sign in with, and could not. */
export interface SignInAttempt {
  readonly email?: string;
  /** Of a key that is not accepted. */
  readonly keyPrefix?: string | null;
  /** Why the sign-in through the provider led nowhere. */
  readonly problem?: string;
  /** Of the answer. */
  readonly status: number;
}

/**
 * A sign-in that failed: in the account of who it would have been; in the first account, whose
 * owners run the server, where that is nobody. Nobody waits for it, which would tell whether there
 * is somebody.
 */
export function auditFailure(
  ctx: AccountsContext,
  request: FastifyRequest,
  attempt: SignInAttempt,
): void {
  noteFailure(ctx, request, attempt).catch((error: unknown) => {
    ctx.log.warn({ err: error }, "a failed sign-in could not be noted");
  });
}

async function noteFailure(
  ctx: AccountsContext,
  request: FastifyRequest,
  attempt: SignInAttempt,
): Promise<void> {
  const { problem, status } = attempt;
  // Of the attempt, not of when it was found out who it was: another may be quicker.
  const [id, occurred] = [ctx.ids.uuid7(), ctx.clock.now()];
  // Whose email a provider names is not whose password was wrong.
  const known = problem === undefined ? await knownActor(ctx, attempt) : null;
  const actor = known ?? (await stranger(ctx, attempt));
  if (actor === null) return;
  const row = rowOf(ctx, request, actor);
  const resource = problem === undefined ? row.resource : JSON.stringify({ problem });
  ctx.audit.note({ ...row, id, occurred, resource, status, result: "refused" });
}

async function knownActor(ctx: AccountsContext, { email }: SignInAttempt): Promise<Actor | null> {
  if (email === undefined) return null;
  const user = await findUserByEmail(ctx.db.system, normalEmail(email));
  const [first] = user === null ? [] : await listMemberships(ctx.db, user.id);
  if (user === null || first === undefined) return null;
  return {
    account_id: first.account_id,
    actor_kind: "user",
    actor_id: user.id,
    actor_name: user.name,
    api_key_id: null,
    api_key_prefix: null,
  };
}

async function stranger(
  ctx: AccountsContext,
  { email = "", keyPrefix = null }: SignInAttempt,
): Promise<Actor | null> {
  const account_id = await findAccountOf(ctx.db, openScope("").workspaceId);
  if (account_id === null) return null;
  return {
    account_id,
    actor_kind: "unknown",
    actor_id: null,
    actor_name: shownEmail(normalEmail(email)),
    api_key_id: null,
    api_key_prefix: keyPrefix,
  };
}

function rowOf(ctx: AccountsContext, request: FastifyRequest, actor: Actor) {
  const { url: route = "", schema } = request.routeOptions;
  const { method } = request;
  const name = schema?.operationId ?? `${method} ${route}`;
  const operation = { name, method, route, right: "read" as const };
  return auditRow(ctx, request, { actor, operation });
}
