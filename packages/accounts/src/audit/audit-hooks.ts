import type { HttpApp } from "@orchestrator/kernel/http";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { findAccountOf } from "../access/access.store.ts";
import { rightFor } from "../access/permissions.rules.ts";
import type { AuditRow } from "../db/tables.ts";
import { endAuditEntry, enterAuditEntry, type PendingEntry } from "./audit-context.ts";
import type { AuditLog } from "./audit-log.ts";
import { type Actor, type AuditedOperation, actorOf, auditRow } from "./audit-row.ts";
import type { AuditSettings } from "./audit-settings.ts";
import { idInAnswer, interestIn, isTelemetry, mayCreate } from "./audited.rules.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the request will leave in the audit log; null where it leaves nothing. */
    auditEntry: PendingEntry | null;
  }
}

interface AuditOptions extends Pick<ServiceHost, "db" | "clock" | "ids"> {
  readonly audit: AuditLog;
  readonly auditSettings: AuditSettings;
}

/**
 * Sees to it that whatever is to be audited is, on whichever API. To be called before any route is
 * there.
 */
export function installAudit(app: HttpApp, options: AuditOptions): void {
  app.decorateRequest("auditEntry", null);
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) auditRoute(route, method, options);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.statusCode >= 400 && request.auditEntry === null)
      noteRefusal(request, reply, options);
    done(null, payload);
  });
  app.addHook("onClose", () => options.audit.flushLast());
}

/** Only routes that may leave an entry get hooks: the others cost nothing. */
function auditRoute(route: RouteOptions, method: string, options: AuditOptions): void {
  if (method === "HEAD" || method === "OPTIONS") return;
  if (route.config?.isPublic === true || route.config?.hasOwnCredential === true) return;
  const right = rightFor(method, route.url);
  const mayShowSecrets = showsSecrets(route);
  const interest = interestIn({ method, route: route.url, right, mayShowSecrets });
  if (interest === "none") return;
  const operation = { name: nameOf(route, method), method, route: route.url, right };
  const isWanted = (request: FastifyRequest): boolean => {
    if (request.method !== method) return false;
    if (interest === "secrets") return wantsSecrets(request);
    if (interest === "always" || options.auditSettings.machineWork) return true;
    return request.access?.actor.kind !== "service" && !isTelemetry(route.url);
  };
  const successes = Object.keys(route.schema?.response ?? {}).filter((code) => code < "300");
  const status = successes.length === 1 ? Number(successes[0]) : null;
  const begin = beginning({ ...options, operation, status });

  route.preHandler = [
    (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      if (isWanted(request)) begin(request, done);
      else done();
    },
    ...[route.preHandler ?? []].flat(),
  ];
  route.onSend = [
    (
      request: FastifyRequest,
      reply: FastifyReply,
      payload: unknown,
      done: (error: Error | null, payload?: unknown) => void,
    ) => {
      const entry = request.auditEntry;
      if (entry === null || entry.state === "over") done(null, payload);
      else
        finish(options.audit, entry, { status: reply.statusCode, payload }).then(
          // oxlint-disable-next-line promise/no-callback-in-promise -- a hook with a callback is the cheaper kind
          () => done(null, payload),
          done,
        );
    },
    ...[route.onSend ?? []].flat(),
  ];
}

interface Beginning extends AuditOptions {
  readonly operation: AuditedOperation;
  /** Of the answer if all goes well, where there is but one. */
  readonly status: number | null;
}

function beginning(options: Beginning) {
  const { operation, status } = options;
  const makes = mayCreate(operation.method, operation.route);
  const go = (request: FastifyRequest, actor: Actor, rest: () => void): void => {
    const row = { ...auditRow(options, request, { actor, operation }), status };
    const entry: PendingEntry = { row, state: "open", mayCreate: makes, createdId: null };
    request.auditEntry = entry;
    enterAuditEntry(entry, rest);
  };
  return (request: FastifyRequest, done: (error?: Error) => void): void => {
    const { access } = request;
    if (access !== undefined) go(request, actorOf(access, request), done);
    else
      loginOf(options.db, request).then((actor) => {
        // oxlint-disable-next-line promise/no-callback-in-promise -- as above
        if (actor === null) done();
        else go(request, actor, done);
      }, done);
  };
}

/** The uptime service has a login of its own, which belongs to whoever has the workspace. */
async function loginOf(db: Database, { scope }: FastifyRequest): Promise<Actor | null> {
  if (scope.caller.kind !== "user") return null;
  const account_id = await findAccountOf(db, scope.workspaceId);
  if (account_id === null) return null;
  const actor_name = scope.caller.id ?? "";
  const none = { actor_id: null, api_key_id: null, api_key_prefix: null };
  return { account_id, actor_kind: "login", actor_name, ...none };
}

interface Answer {
  readonly status: number;
  readonly payload: unknown;
}

/** What no transaction has stored is stored now, before the answer goes out. */
async function finish(audit: AuditLog, entry: PendingEntry, answer: Answer): Promise<void> {
  const { row, state, createdId } = entry;
  const { status } = answer;
  // A transaction that nobody awaited stores it yet.
  const isStored = state !== "open";
  endAuditEntry(entry);
  if (status >= 400) {
    const refused = { ...row, status, result: status === 403 ? "refused" : "failed" } as const;
    // That the answer was another than the entry says is as much worth knowing as the entry.
    if (isStored) await audit.store(again(row, refused));
    else audit.note(refused);
    return;
  }
  const answered = entry.mayCreate ? idInAnswer(answer.payload) : null;
  const resource_id = answered ?? createdId ?? row.resource_id;
  if (!isStored) await audit.store({ ...row, status, resource_id });
  else if (answered !== null && answered !== createdId)
    await audit.store(again(row, { ...row, status, resource_id }));
}

/**
 * A second entry of the same request. Its id follows that of the first, as it was made a moment
 * later.
 */
const again = (first: AuditRow, row: AuditRow): AuditRow => ({ ...row, id: nextId(first.id) });

/** The last digit of an id is random, so another one is as good. */
const nextId = (id: string): string =>
  id.slice(0, -1) + ((Number.parseInt(id.at(-1) ?? "0", 16) + 1) % 16).toString(16);

/** Whoever is known and was turned away, at the door or by what they asked for. */
function noteRefusal(
  request: FastifyRequest,
  { statusCode: status }: FastifyReply,
  options: AuditOptions,
): void {
  const { access, scope, method, routeOptions } = request;
  if (access === undefined || (scope !== undefined && status !== 403)) return;
  // Asking too often is no attempt at anything.
  if (status === 429) return;
  const { url: route = "", schema } = routeOptions;
  const operation = {
    name: schema?.operationId ?? `${method} ${route}`,
    method,
    route,
    right: rightFor(method, route),
  };
  const row = auditRow(options, request, { actor: actorOf(access, request), operation });
  options.audit.note({ ...row, status, result: "refused" });
}

const nameOf = ({ schema, url }: RouteOptions, method: string): string =>
  schema?.operationId ?? `${method} ${url}`;

const SECRETS = "include_secrets";

function showsSecrets({ schema }: RouteOptions): boolean {
  const parts = [schema?.querystring, schema?.body] as { readonly properties?: object }[];
  return parts.some((part) => SECRETS in (part?.properties ?? {}));
}

function wantsSecrets({ query, body }: FastifyRequest): boolean {
  const parts = [query, body] as ({ readonly [SECRETS]?: unknown } | null | undefined)[];
  return parts.some((part) => part?.[SECRETS] === true);
}
