import { normaliseUuid } from "@orchestrator/kernel/http";
import type { Clock, Ids } from "@orchestrator/kernel/pure";
import { basicText, bearerToken } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import type { KeyAccess } from "../access/key-cache.ts";
import { keyPrefix, looksLikeKey } from "../access/key-text.rules.ts";
import type { AccessRight } from "../access/permissions.rules.ts";
import type { AuditRow } from "../db/tables.ts";
import { resourceOf } from "./audited.rules.ts";

/** What an entry says of the operation. */
export interface AuditedOperation {
  readonly name: string;
  readonly method: string;
  readonly route: string;
  readonly right: AccessRight;
}

/** Who did it, as the entry has it. */
export type Actor = Pick<
  AuditRow,
  "account_id" | "actor_kind" | "actor_id" | "actor_name" | "api_key_id" | "api_key_prefix"
>;

export function actorOf(access: KeyAccess, { headers: { authorization } }: FastifyRequest): Actor {
  const { accountId, actor, keyId } = access;
  const token =
    bearerToken(authorization) ?? basicText(authorization)?.replace(/^[^:]*:/, "") ?? "";
  return {
    account_id: accountId,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    api_key_id: keyId,
    api_key_prefix: looksLikeKey(token) ? keyPrefix(token) : null,
  };
}

const MAX_TEXT = 255;

interface Sources {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Never a body, and of the query nothing: they may hold secrets. */
export function auditRow(
  { clock, ids }: Sources,
  request: FastifyRequest,
  { actor, operation }: { readonly actor: Actor; readonly operation: AuditedOperation },
): AuditRow {
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const { resource, resourceId } = resourceOf(params);
  return {
    id: ids.uuid7(),
    occurred: clock.now(),
    ...actor,
    workspace_id: workspaceOf(request, params),
    operation: operation.name,
    method: operation.method,
    route: operation.route,
    permission: operation.right,
    resource_id: resourceId,
    resource,
    result: "done",
    status: null,
    address: request.ip,
    user_agent: (request.headers["user-agent"] ?? "").slice(0, MAX_TEXT),
    request_id: request.id,
  };
}

/**
 * An operation above workspaces has a workspace only if its address names one. A caller that is
 * refused may have put any id there.
 */
function workspaceOf(
  { scope, routeOptions: { url = "" } }: FastifyRequest,
  { workspace_id }: Readonly<Record<string, string>>,
): string | null {
  const isAbove = /^\/api\/(me|accounts|auth)(\/|$)/.test(url);
  return (isAbove ? normaliseUuid(workspace_id) : scope?.workspaceId) ?? null;
}
