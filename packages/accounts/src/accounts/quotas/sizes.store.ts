import type { SystemStatement } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { isInKeyRange, type KeyRange, keyRangeShape } from "../removal/keyed-walk.store.ts";
import {
  isInTableRange,
  type TableRange,
  type WorkspaceTable,
} from "../removal/workspace-tables.store.ts";

interface Size {
  readonly workspace_id: string;
  readonly rows: number;
  readonly bytes: number;
}

const ranges = new Map<string, SystemStatement<object, Size>>();

/** The same of a table that is kept in the order of its key. */
export function measureKeyRange(
  table: WorkspaceTable,
  range: KeyRange,
): SystemStatement<object, Size> {
  const shape = keyRangeShape(table, range);
  const known = ranges.get(shape);
  if (known !== undefined) return known;
  const made = statement<Readonly<Record<string, unknown>>>()((db, p) =>
    db
      .selectFrom(
        sql<Size>`(
          select workspace_id, count(*) as "rows", sum(${lengthOf(table)}) as bytes from ${sql.table(table.name)} kept
          where ${isInKeyRange(table, range, p)} group by workspace_id
        )`.as("size"),
      )
      .select(["size.workspace_id", "size.rows", "size.bytes"]),
  );
  ranges.set(shape, made as SystemStatement<object, Size>);
  return made as SystemStatement<object, Size>;
}

const lengthOf = ({ columns }: WorkspaceTable) =>
  sql.join(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  );

const measures = new Map<string, SystemStatement<TableRange, Size>>();

/** How many rows each workspace has in one part of a table, and how long they are. */
export function measureTableRange(table: WorkspaceTable): SystemStatement<TableRange, Size> {
  const { name } = table;
  const known = measures.get(name);
  if (known !== undefined) return known;
  const made = statement<TableRange>()((db, p, dialect) => {
    const isPostgres = dialect.name === "postgres";
    const length = isPostgres ? sql`pg_column_size(kept.*)` : lengthOf(table);
    return db
      .selectFrom(
        sql<Size>`(
          select workspace_id, count(*) as "rows", sum(${length}) as bytes from ${sql.table(name)} kept
          where ${isInTableRange(isPostgres, p)} group by workspace_id
        )`.as("size"),
      )
      .select(["size.workspace_id", "size.rows", "size.bytes"]);
  });
  measures.set(name, made);
  return made;
}
