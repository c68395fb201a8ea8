// The tables that hold rows of workspaces, as the database itself describes them: a table that is
// new tomorrow is found as well.
import type { Database, Queries, Statement, SystemStatement } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement, workspaceStatement } from "../../db/tables.ts";

export interface WorkspaceTable {
  readonly name: string;
  /**
   * Its rows have no place of their own: they are told apart by the primary key, whose columns
   * these are.
   */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Whether the rows of one workspace are found without looking at those of the others. */
  readonly isIndexed: boolean;
  /** The tables whose rows take rows of this one with them when they are deleted. */
  readonly parents: readonly string[];
}

interface Found {
  readonly name: string;
  /** With commas between them. */
  readonly key: string | null;
  readonly columns: string;
  readonly is_indexed: number | boolean;
  readonly parents: string | null;
}

const SQLITE = `
  select t.name,
    case when t.wr = 1 then (select group_concat(c.name, ',') from pragma_table_info(t.name) c where c.pk > 0) end as key,
    (select group_concat(c.name, ',') from pragma_table_info(t.name) c) as columns,
    exists (
      select 1 from pragma_index_list(t.name) i join pragma_index_info(i.name) part
      where part.seqno = 0 and part.name = 'workspace_id' and i.partial = 0
    ) as is_indexed,
    (select group_concat("table", ',') from pragma_foreign_key_list(t.name) where on_delete = 'CASCADE') as parents
  from pragma_table_list t
  where t.schema = 'main' and t.type = 'table'
    and exists (select 1 from pragma_table_info(t.name) c where c.name = 'workspace_id')`;

const POSTGRES = `
  select c.relname::text as name, null as key, '' as columns,
    exists (
      select from pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indpred is null
    ) as is_indexed,
    (select string_agg(f.confrelid::regclass::text, ',') from pg_constraint f
     where f.conrelid = c.oid and f.contype = 'f' and f.confdeltype = 'c') as parents
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`;

const findTables = statement()((db, _p, dialect) =>
  db
    .selectFrom(sql<Found>`(${sql.raw(dialect.name === "sqlite" ? SQLITE : POSTGRES)})`.as("found"))
    .select(["found.name", "found.key", "found.columns", "found.is_indexed", "found.parents"]),
);

/** These tell of workspaces that are gone. */
const EXCLUDED_TABLES = new Set(["audit_log", "workspace_removals"]);

const listed = (text: string | null): string[] =>
  text === null ? [] : text.split(",").map((name) => name.replaceAll('"', ""));

export async function listWorkspaceTables({
  system,
}: Pick<Database, "system">): Promise<WorkspaceTable[]> {
  const found = await system.all(findTables, {});
  return found
    .filter(({ name }) => !EXCLUDED_TABLES.has(name))
    .map(({ name, key, columns, is_indexed, parents }) => ({
      name,
      key: listed(key),
      columns: listed(columns),
      isIndexed: Boolean(is_indexed),
      parents: listed(parents),
    }));
}

interface Batch {
  readonly limit: number;
}

const batches = new Map<string, Statement<Batch, unknown>>();

/** Deletes some rows of the workspace, wherever they are in the table. */
export function deleteBatch({ name, key }: WorkspaceTable): Statement<Batch, unknown> {
  const known = batches.get(name);
  if (known !== undefined) return known;
  const made = workspaceStatement<Batch>()((db, p, dialect) => {
    const table = sql.table(name);
    const some = sql`from ${table} where workspace_id = ${p.workspace_id} limit ${p.limit}`;
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const isSome =
      dialect.name === "postgres"
        ? sql<boolean>`ctid = any (array (select ctid ${some}))`
        : key.length === 0
          ? sql<boolean>`rowid in (select rowid ${some})`
          : sql<boolean>`(${columns}) in (select ${columns} ${some})`;
    return db
      .deleteFrom(name as "workspace_sizes")
      .where("workspace_id", "=", p.workspace_id)
      .where(isSome);
  });
  batches.set(name, made);
  return made;
}

const looks = new Map<string, Statement<object, { found: number }>>();

/** Whether there is anything of the workspace in the table. */
export async function hasRows(queries: Queries, { name }: WorkspaceTable): Promise<boolean> {
  let look = looks.get(name);
  if (look === undefined) {
    look = workspaceStatement<object>()((db, p) =>
      db
        .selectFrom(name as "workspace_sizes")
        .select(sql<number>`1`.as("found"))
        .where("workspace_id", "=", p.workspace_id)
        .limit(1),
    );
    looks.set(name, look);
  }
  return (await queries.get(look, {})) !== undefined;
}

/** A part of a table, by where its rows are kept. */
export interface TableRange {
  readonly from: number;
  readonly to: number;
}

const stretches = new Map<string, Statement<TableRange, unknown>>();

/** Condition: the row is kept in the stretch. */
export function isInTableRange(isPostgres: boolean, { from, to }: TableRange) {
  return isPostgres
    ? sql<boolean>`ctid >= format('(%s,0)', ${from}::bigint)::tid and ctid < format('(%s,0)', ${to}::bigint)::tid`
    : sql<boolean>`rowid >= ${from} and rowid < ${to}`;
}

/** Deletes the rows of the workspace that are kept in one part of the table. */
export function deleteTableRange({ name }: WorkspaceTable): Statement<TableRange, unknown> {
  const known = stretches.get(name);
  if (known !== undefined) return known;
  const made = workspaceStatement<TableRange>()((db, p, dialect) =>
    db
      .deleteFrom(name as "workspace_sizes")
      .where("workspace_id", "=", p.workspace_id)
      .where(isInTableRange(dialect.name === "postgres", p)),
  );
  stretches.set(name, made);
  return made;
}

const ends = new Map<string, SystemStatement<object, { end: number }>>();

/** Where the table ends: all its stretches lie before. */
export function endOf({ name }: WorkspaceTable): SystemStatement<object, { end: number }> {
  const known = ends.get(name);
  if (known !== undefined) return known;
  const made = statement()((db, _p, dialect) =>
    db
      .selectFrom(
        sql<{ end: number }>`(${
          dialect.name === "postgres"
            ? sql`select pg_relation_size(${sql.lit(name)}::regclass) / current_setting('block_size')::bigint as "end"`
            : sql`select coalesce(max(rowid), -1) + 1 as "end" from ${sql.table(name)}`
        })`.as("found"),
      )
      .select("found.end"),
  );
  ends.set(name, made);
  return made;
}
