import type { AuditFilter } from "@orchestrator/contract";
import type {
  Database,
  SystemStatement,
  SystemTransaction,
  Transaction,
} from "@orchestrator/kernel/storage";
import { type AuditRow, statement, workspaceStatement } from "../db/tables.ts";
import type { StoredAuditEntry } from "./audited.rules.ts";

/**
 * The workspace is that of the transaction. What is there already, as after an answer that was
 * lost, stays as it is.
 */
const insertHere = workspaceStatement<Omit<AuditRow, "workspace_id">>()((db, p) =>
  db
    .insertInto("audit_log")
    .values({
      id: p.id,
      occurred: p.occurred,
      account_id: p.account_id,
      workspace_id: p.workspace_id,
      actor_kind: p.actor_kind,
      actor_id: p.actor_id,
      actor_name: p.actor_name,
      api_key_id: p.api_key_id,
      api_key_prefix: p.api_key_prefix,
      operation: p.operation,
      method: p.method,
      route: p.route,
      permission: p.permission,
      resource_id: p.resource_id,
      resource: p.resource,
      result: p.result,
      status: p.status,
      address: p.address,
      user_agent: p.user_agent,
      request_id: p.request_id,
    })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const insert: SystemStatement<AuditRow, unknown> = {
  scope: "system",
  compiledFor: (dialect) => insertHere.compiledFor(dialect),
};

/** It goes along with the commit, and fails it where it fails. */
export function insertAuditRowHere(tx: Transaction, row: AuditRow): void {
  tx.enqueue(insertHere, row);
}

export function insertAuditRow(tx: SystemTransaction, row: AuditRow): void {
  tx.enqueue(insert, row);
}

/** What may be asked for; the rest of a filter is about the page. */
export type AuditConditions = Omit<AuditFilter, "limit"> & { readonly account_id: string };

const COLUMNS = [
  "id",
  "occurred",
  "account_id",
  "workspace_id",
  "actor_kind",
  "actor_id",
  "actor_name",
  "api_key_id",
  "api_key_prefix",
  "operation",
  "method",
  "route",
  "permission",
  "resource_id",
  "resource",
  "result",
  "status",
  "address",
  "user_agent",
  "request_id",
] as const;

const EQUAL = [
  "actor_id",
  "api_key_id",
  "operation",
  "resource_id",
  "workspace_id",
  "request_id",
  "result",
] as const;
const BOUNDS = [
  ["since", "occurred", ">="],
  ["until", "occurred", "<"],
  ["cursor", "id", "<"],
] as const;

type Conditions = Required<AuditConditions> & { readonly limit: number };

/** One statement for every set of conditions that was ever asked for. */
const lists = new Map<string, SystemStatement<Conditions, AuditRow>>();

function listOf(given: ReadonlySet<string>): SystemStatement<Conditions, AuditRow> {
  const key = [...given].sort().join();
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = statement<Conditions>()((db, p) => {
    let query = db.selectFrom("audit_log").select(COLUMNS).where("account_id", "=", p.account_id);
    for (const column of EQUAL) if (given.has(column)) query = query.where(column, "=", p[column]);
    for (const [name, column, operator] of BOUNDS)
      if (given.has(name)) query = query.where(column, operator, p[name]);
    return query.orderBy("id", "desc").limit(p.limit);
  });
  lists.set(key, made);
  return made;
}

/** Newest first. */
export async function listAuditEntries(
  { system }: Pick<Database, "system">,
  conditions: AuditConditions,
  limit: number,
): Promise<StoredAuditEntry[]> {
  const names = [...EQUAL, ...BOUNDS.map(([name]) => name)];
  const given = new Set<string>(names.filter((name) => conditions[name] !== undefined));
  const values = { ...conditions, limit } as Conditions;
  const rows = await system.all(listOf(given), values);
  return rows.map(
    (row) => ({ ...row, resource: JSON.parse(row.resource) as object }) as StoredAuditEntry,
  );
}

const allow = statement<{ before: string }>()((db, p) =>
  db.updateTable("audit_retention").set({ before: p.before }),
);

interface Expired {
  readonly before: string;
  /** No id made since then is less. It keeps the search from going through all that is younger. */
  readonly belowId: string;
  readonly limit: number;
}

const removeOld = statement<Expired>()((db, p) =>
  db
    .deleteFrom("audit_log")
    .where("id", "in", (e) =>
      e
        .selectFrom("audit_log")
        .select("id")
        .where("id", "<", p.belowId)
        .where("occurred", "<", p.before)
        .orderBy("id")
        .limit(p.limit),
    ),
);

/** Deletes some of the oldest; the only way there is. */
export async function removeOldEntries(tx: SystemTransaction, expired: Expired): Promise<number> {
  await tx.run(allow, { before: expired.before });
  const removed = await tx.run(removeOld, expired);
  await tx.run(allow, { before: "" });
  return removed;
}
