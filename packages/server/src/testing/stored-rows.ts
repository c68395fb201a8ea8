// What is stored of a workspace, table by table, as the database has it.
import { createLogger } from "@orchestrator/kernel/log";
import { openDatabase } from "@orchestrator/kernel/storage";

export type StoredRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const log = createLogger({ level: "silent", format: "json", name: "test" });

/** Every row of every table that belongs to the workspace. */
export async function storedRows(url: string, workspaceId: string): Promise<StoredRows> {
  const db = openDatabase({ url, maxConnections: 1, stats: { onCommit: () => {} }, log });
  try {
    return await db.exclusively(async (session) => {
      const isSqlite = url.startsWith("sqlite:");
      const tables = await session.rows<{ readonly name: string; readonly columns: string }>(
        isSqlite ? SQLITE_TABLES : POSTGRES_TABLES,
      );
      const rows: Record<string, Record<string, unknown>[]> = {};
      for (const { name, columns } of tables)
        rows[name] = await session.rows(
          `select ${columns} from "${name}" where workspace_id = '${workspaceId}'`,
        );
      return rows;
    });
  } finally {
    await db.close();
  }
}

/** Sums of times are larger than whole numbers can be here, so that numbers are read as texts. */
const SQLITE_TABLES = `select m.name as name,
    group_concat(format('iif(typeof("%w") = ''integer'', cast("%w" as text), "%w") as "%w"', c.name, c.name, c.name, c.name)) as columns
  from sqlite_master m join pragma_table_info(m.name) c
  where m.type = 'table' group by m.name having sum(c.name = 'workspace_id') > 0 order by m.name`;
const POSTGRES_TABLES = `select c.table_name as name, '*' as columns from information_schema.columns c join information_schema.tables t
  on t.table_schema = c.table_schema and t.table_name = c.table_name
  where c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE' and c.table_schema = current_schema()
  order by c.table_name`;

export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Which columns hold one of the ids, as `table.column`. */
export function idColumns(rows: StoredRows, ids: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [table, all] of Object.entries(rows))
    for (const [column, value] of all.flatMap((row) => Object.entries(row))) {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      if ([...text.matchAll(UUID)].some(([id]) => ids.has(id))) found.add(`${table}.${column}`);
    }
  return [...found].sort();
}

/** Whether somebody is there is found out by asking nobody for a while. */
const HEALTH = /^(workers|work_pools|work_queues|deployments|backfills)$/;
const OF_HEALTH = /^(status\w*|updated|due|last_\w+)$/;
const TOLD = /\.(ready|not-ready|not_ready|online|offline)$/;

/** What holds a check that runs, and when a service agreement is looked at again. */
const PASSING: Readonly<Record<string, RegExp>> = { monitors: /^run_holder$/, slas: /^due$/ };

/** Without what changes by itself as time goes by. */
export function stableRows(rows: StoredRows): unknown {
  // What is counted of a day is written down with a delay, that lines came late is noted until they
  // are taken into blocks, and changes of runs until they are added up.
  const {
    workspace_counts: _counts,
    late_texts: _late,
    flow_run_changes: _changes,
    flow_run_sums: _sums,
    flow_run_coarse_sums: _coarse,
    ...others
  } = rows;
  const kept = Object.entries(others).map(([table, all]) => [
    table,
    all
      .filter(({ event }) => !(typeof event === "string" && TOLD.test(event)))
      // That somebody of the account asked for the workspace itself, and was refused, is noted
      // about it.
      .filter(({ result }) => !(table === "audit_log" && result === "refused"))
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(
            ([name]) =>
              !((HEALTH.test(table) && OF_HEALTH.test(name)) || PASSING[table]?.test(name)),
          ),
        ),
      )
      // A database hands rows out in whatever order it finds them.
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  return Object.fromEntries(kept);
}
