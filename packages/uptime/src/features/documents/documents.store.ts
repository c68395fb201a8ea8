import type { Dialect, Queries, Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { lockDependencies } from "../dependencies/dependencies.store.ts";
import type { MonitorConfigRow } from "../monitors/monitors.table.ts";

const COLUMNS = [
  "id",
  "created_at",
  "updated_at",
  "name",
  "url",
  "pipeline",
  "secrets",
  "sealed_with",
  "interval",
  "schedule",
  "timezone",
  "enabled",
  "tags",
  "confirm_down",
  "confirm_up",
  "next_run",
] as const satisfies readonly (keyof MonitorConfigRow)[];

interface Page {
  readonly created_at: string;
  readonly id: string;
  readonly limit: number;
}

const page = statement<Page>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where(sql<boolean>`(created_at, id) > (${p.created_at}, ${p.id})`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

const BEFORE_ALL = { created_at: "", id: "00000000-0000-0000-0000-000000000000" };

/** All monitors, the oldest first, a page at a time. */
export async function* pagesOfMonitors(
  queries: Queries,
  limit: number,
): AsyncGenerator<MonitorConfigRow[]> {
  for (let after = BEFORE_ALL; ; ) {
    const { created_at, id } = after;
    const rows = await queries.all(page, { created_at, id, limit });
    if (rows.length > 0) yield rows.map(compared);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = last;
  }
}

const wanted = (dialect: Dialect, names: string) =>
  sql`select wanted.name from ${dialect.rowsFrom({ name: "text" }, names)} as wanted`;

/** Rows that are held stay as they are until the transaction ends. */
const named = (isHeld: boolean) =>
  statement<{ names: string }>()((db, p, dialect) =>
    db
      .selectFrom("monitors")
      .select(COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`name in (${wanted(dialect, p.names)})`)
      .orderBy("id")
      .$if(isHeld && dialect.locksRows, (query) => query.forUpdate("monitors")),
  );

const others = (isHeld: boolean) =>
  statement<{ names: string; limit: number }>()((db, p, dialect) =>
    db
      .selectFrom("monitors")
      .select(COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`name not in (${wanted(dialect, p.names)})`)
      .orderBy("id")
      .limit(p.limit)
      .$if(isHeld && dialect.locksRows, (query) => query.forUpdate("monitors")),
  );

const lockAccount = statement()((db, p, dialect) =>
  db
    .selectFrom("uptime_accounts")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const edges = statement()((db, p) =>
  db
    .selectFrom("monitor_parents")
    .innerJoin("monitors", "monitors.id", "monitor_parents.parent_id")
    .select(["monitor_id", "parent_id", "monitors.name as parent_name"])
    .where("monitor_parents.workspace_id", "=", p.workspace_id)
    .orderBy("monitors.name")
    .orderBy("parent_id"),
);

/** A monitor and one of its parents. */
export interface Edge {
  readonly monitor_id: string;
  readonly parent_id: string;
  readonly parent_name: string;
}

/** Every dependency between monitors, by the names of the parents. */
export function listEdges(queries: Queries): Promise<Edge[]> {
  return queries.all(edges, {});
}

/** The monitors as a document finds them: by their names. */
export interface NamedMonitors {
  /** Those with one of the names. */
  readonly find: (names: readonly string[]) => Promise<MonitorConfigRow[]>;
  /** At most `limit` of those with none of the names. */
  readonly findOthers: (names: readonly string[], limit: number) => Promise<MonitorConfigRow[]>;
  readonly listEdges: () => Promise<Edge[]>;
}

const [seenNamed, seenOthers] = [named(false), others(false)];
const [heldNamed, heldOthers] = [named(true), others(true)];

export function seenMonitors(queries: Queries): NamedMonitors {
  return {
    find: async (names) =>
      (await queries.all(seenNamed, { names: namesJson(names) })).map(compared),
    findOthers: async (names, limit) =>
      (await queries.all(seenOthers, { names: namesJson(names), limit })).map(compared),
    listEdges: () => listEdges(queries),
  };
}

/** What is found stays as it is until the transaction ends. */
export function heldMonitors(tx: Transaction): NamedMonitors {
  return {
    find: async (names) => (await tx.all(heldNamed, { names: namesJson(names) })).map(compared),
    findOthers: async (names, limit) =>
      (await tx.all(heldOthers, { names: namesJson(names), limit })).map(compared),
    async listEdges() {
      await lockDependencies(tx);
      return listEdges(tx);
    },
  };
}

/**
 * Lets one import after the other in. Names need not be unique, so nothing else would keep two of them from creating
 * the same monitor. A workspace has one account, whose row nothing else holds for long.
 */
export async function waitForOtherImports(tx: Transaction): Promise<void> {
  if (tx.dialect.locksRows) await tx.all(lockAccount, {});
}

const namesJson = (names: readonly string[]): string =>
  JSON.stringify(names.map((name) => ({ name })));

/** The database may space JSON its own way; decisions compare it with ours. */
function compared<Row extends MonitorConfigRow>(row: Row): Row {
  return { ...row, tags: JSON.stringify(JSON.parse(row.tags)) };
}
