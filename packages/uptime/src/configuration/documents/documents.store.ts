import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import {
  type Dialect,
  idRows,
  listedIds,
  type Queries,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { MaintenanceRow } from "../../db/tables/maintenance.table.ts";
import { MONITOR_CONFIG_COLUMNS, type MonitorConfigRow } from "../../db/tables/monitors.table.ts";
import { STATUS_PAGE_COLUMNS, type StatusPageRow } from "../../db/tables/status-pages.table.ts";
import { statement } from "../../db/tables.ts";
import { listWindows } from "../../maintenance/maintenance.store.ts";
import { lockDependencies } from "../../monitors/dependencies/dependencies.store.ts";
import { listedMonitors } from "../../pages/page-input.rules.ts";

interface Page {
  readonly created_at: string;
  readonly id: string;
  readonly limit: number;
}

const page = statement<Page>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(MONITOR_CONFIG_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where(sql<boolean>`(created_at, id) > (${p.created_at}, ${p.id})`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

const BEFORE_ALL = { created_at: "", id: "00000000-0000-0000-0000-000000000000" };

/** All monitors, the oldest first, a page at a time. */
export async function* monitorBatches(
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
      .select(MONITOR_CONFIG_COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`name in (${wanted(dialect, p.names)})`)
      .orderBy("id")
      .$if(isHeld && dialect.locksRows, (query) => query.forUpdate("monitors")),
  );

const others = (isHeld: boolean) =>
  statement<{ names: string; limit: number }>()((db, p, dialect) =>
    db
      .selectFrom("monitors")
      .select(MONITOR_CONFIG_COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where(sql<boolean>`name not in (${wanted(dialect, p.names)})`)
      .orderBy("id")
      .limit(p.limit)
      .$if(isHeld && dialect.locksRows, (query) => query.forUpdate("monitors")),
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

const namesById = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .select(["id", "name"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .orderBy("id"),
);

const pages = (isHeld: boolean) =>
  statement()((db, p, dialect) =>
    db
      .selectFrom("status_pages")
      .select(STATUS_PAGE_COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .orderBy("created_at")
      .orderBy("id")
      .$if(isHeld && dialect.locksRows, (query) => query.forUpdate()),
  );

const holdWindows = statement()((db, p, dialect) =>
  db
    .selectFrom("maintenance_windows")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const [seen, held] = [false, true].map((isHeld) => ({
  named: named(isHeld),
  others: others(isHeld),
  pages: pages(isHeld),
})) as [Statements, Statements];

interface Statements {
  readonly named: ReturnType<typeof named>;
  readonly others: ReturnType<typeof others>;
  readonly pages: ReturnType<typeof pages>;
}

/** What of the server a document is about. */
export interface Question {
  /** The monitors that it names, as entries and elsewhere. */
  readonly names: readonly string[];
  /** Those among them that are entries, if all others are to go. */
  readonly kept: readonly string[] | null;
  /** So many others are looked for at most. */
  readonly mostOthers: number;
  readonly hasWindows: boolean;
  readonly hasPages: boolean;
}

/** What is there of it. */
export interface StoredConfiguration {
  readonly monitors: readonly MonitorConfigRow[];
  readonly others: readonly MonitorConfigRow[];
  readonly edges: readonly Edge[];
  readonly windows: readonly MaintenanceRow[];
  readonly pages: readonly StatusPageRow[];
  /** The names of monitors that windows and pages list. */
  readonly listed: readonly { readonly id: string; readonly name: string }[];
}

export function readPresent(queries: Queries, question: Question): Promise<StoredConfiguration> {
  return present(queries, question, seen);
}

/** What is found stays as it is until the transaction ends. */
export async function lockPresent(
  tx: Transaction,
  question: Question,
): Promise<StoredConfiguration> {
  // One import after the other: names need not be unique, so nothing else keeps two from creating
  // the same.
  await lockDependencies(tx);
  if (question.hasWindows && tx.dialect.locksRows) await tx.all(holdWindows, {});
  return present(tx, question, held);
}

/** So many monitors are looked for in one statement. */
const NAMES_AT_ONCE = 500;

async function present(
  queries: Queries,
  { names, kept, mostOthers, hasWindows, hasPages }: Question,
  how: Statements,
): Promise<StoredConfiguration> {
  const turn = yieldingBetweenSteps();
  const monitors: MonitorConfigRow[] = [];
  for (let i = 0; i < names.length; i += NAMES_AT_ONCE) {
    const some = namesJson(names.slice(i, i + NAMES_AT_ONCE));
    monitors.push(...(await queries.all(how.named, { names: some })).map(compared));
    await turn();
  }
  const gone =
    kept === null
      ? []
      : await queries.all(how.others, { names: namesJson(kept), limit: mostOthers });
  const windows = hasWindows ? await listWindows(queries) : [];
  const pages = hasPages ? await queries.all(how.pages, {}) : [];
  const listed = [
    ...windows.flatMap(({ monitor_ids }) => JSON.parse(monitor_ids) as readonly string[]),
    ...pages.flatMap(listedMonitors),
  ];
  return {
    monitors,
    others: gone.map(compared),
    edges: names.length === 0 && kept === null ? [] : await listEdges(queries),
    windows,
    pages,
    listed: await listNames(queries, listed),
  };
}

/** Which monitors these are; those that are gone are left out. */
async function listNames(queries: Queries, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return queries.all(namesById, { ids: idRows(new Set(ids)) });
}

export function listPages(queries: Queries): Promise<StatusPageRow[]> {
  return queries.all(seen.pages, {});
}

const namesJson = (names: readonly string[]): string =>
  JSON.stringify(names.map((name) => ({ name })));

/** The database may space JSON its own way; decisions compare it with ours. */
function compared<Row extends MonitorConfigRow>(row: Row): Row {
  return Object.assign(row, { tags: JSON.stringify(JSON.parse(row.tags)) });
}
