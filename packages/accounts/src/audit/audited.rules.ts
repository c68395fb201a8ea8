import type { AuditEntry } from "@orchestrator/contract";
import type { AccessRight } from "../access/permissions.rules.ts";

/** An entry as it was written: what things are called now is found out when somebody looks. */
export type StoredAuditEntry = Omit<AuditEntry, "resource_name">;

/** What is known of an operation before anybody asks for it. */
export interface OperationFacts {
  readonly method: string;
  /** The pattern of its address. */
  readonly route: string;
  readonly right: AccessRight;
  /** Whether it can be asked to hand out secrets. */
  readonly mayShowSecrets: boolean;
}

/**
 * Which requests of an operation leave an entry: none, those that show secrets, all of them, or, as
 * `work` of machines, only those of people.
 */
export type Interest = "none" | "secrets" | "always" | "work";

/** Exports of a whole list. */
const EXPORTS = /\/(export|download)$/;
/** These say that somebody is there or what happened, and change nothing that anybody decided. */
const TELEMETRY =
  /\/(logs|events|workers\/heartbeat|(get_scheduled|claim)_flow_runs|get_runs|leases\/:\w+\/renew)\/?$/;

/** Reads leave no entry, but for exports and secrets. */
export function interestIn({ method, route, right, mayShowSecrets }: OperationFacts): Interest {
  if (mayShowSecrets && (right === "read" || method === "GET")) return "secrets";
  if (EXPORTS.test(route)) return "always";
  if (method === "GET" || route.endsWith("/filter")) return "none";
  if (right === "read") return isOwnChange(method, route) ? "always" : "none";
  return right === "run" ? "work" : "always";
}

/** Keys, sessions and one's own name take no more than looking does, and change something. */
function isOwnChange(method: string, route: string): boolean {
  return method !== "GET" && /^\/api\/(me|accounts)\//.test(route);
}

export const isTelemetry = (route: string): boolean => TELEMETRY.test(route);

const MAX_ID = 255;

/** The parameters of an address as they are kept, and the one that says best what it is about. */
export function resourceOf(params: Readonly<Record<string, string>>): {
  readonly resource: string;
  readonly resourceId: string | null;
} {
  const named = Object.entries(params).map(
    ([name, text]) => [name, text.slice(0, MAX_ID)] as const,
  );
  const resource = JSON.stringify(Object.fromEntries(named));
  const last = named.findLast(([name]) => name !== "account_id");
  return { resource, resourceId: Object.fromEntries(named)["id"] ?? last?.[1] ?? null };
}

/** Whether the operation makes something, rather than doing something to what its address names. */
export function mayCreate(method: string, route: string): boolean {
  if (method !== "POST" && method !== "PUT") return false;
  return CREATION.test(route);
}

/** No parameter but that of the account, or one of those that make a run of a deployment. */
const CREATION = /^(\/uptime)?\/api(\/accounts\/:account_id)?(\/[^:/]+)*\/?$|\/create_flow_run\/?$/;

const FIRST_ID = /^\{"id" ?: ?"([0-9a-f-]{36})"/;

/** The id of what an answer describes. */
export function idInAnswer(payload: unknown): string | null {
  if (typeof payload === "string") return FIRST_ID.exec(payload)?.[1] ?? null;
  if (!Buffer.isBuffer(payload)) return null;
  return FIRST_ID.exec(payload.toString("latin1", 0, 60))?.[1] ?? null;
}
