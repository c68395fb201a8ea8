// Tables of the embedded engine whose rows are kept in the order of their key and have no place
// besides.
import type { Database, Statement, SystemStatement } from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { statement, workspaceStatement } from "../../db/tables.ts";
import type { WorkspaceTable } from "./workspace-tables.store.ts";

/** The values of a key, in the order of its columns. */
type Key = readonly unknown[];

/**
 * A part of such a table: behind the first key, up to the second. Null for the beginning and the
 * end.
 */
export interface KeyRange {
  readonly after: Key | null;
  readonly upTo: Key | null;
}

type Bound = Readonly<Record<string, unknown>>;

/** What a range binds, by name. */
export function boundBy({ after, upTo }: KeyRange): Bound {
  const named = (prefix: string, key: Key | null) =>
    (key ?? []).map((value, i) => [`${prefix}${i}`, value] as const);
  return Object.fromEntries([...named("after", after), ...named("upTo", upTo)]);
}

const columnsOf = ({ key }: WorkspaceTable): RawBuilder<unknown> =>
  sql.join(key.map((column) => sql.ref(column)));

const valuesOf = ({ key }: WorkspaceTable, prefix: string, p: Bound): RawBuilder<unknown> =>
  sql.join(key.map((_, i) => p[`${prefix}${i}`]));

/** Condition: the row is in the range. */
export function isInKeyRange(
  table: WorkspaceTable,
  { after, upTo }: KeyRange,
  p: Bound,
): RawBuilder<boolean> {
  const columns = columnsOf(table);
  const isBehind =
    after === null ? sql`true` : sql`(${columns}) > (${valuesOf(table, "after", p)})`;
  const isBefore = upTo === null ? sql`true` : sql`(${columns}) <= (${valuesOf(table, "upTo", p)})`;
  return sql<boolean>`${isBehind} and ${isBefore}`;
}

/** The same statement for all ranges that have the same ends open. */
export const keyRangeShape = ({ name }: WorkspaceTable, { after, upTo }: KeyRange): string =>
  `${name} ${after !== null} ${upTo !== null}`;

const bounds = new Map<string, SystemStatement<Bound, Record<string, unknown>>>();

function boundBehind(table: WorkspaceTable, range: KeyRange, step: number) {
  const shape = keyRangeShape(table, range);
  const known = bounds.get(shape);
  if (known !== undefined) return known;
  const made = statement<Bound>()((db, p) => {
    const columns = columnsOf(table);
    const name = sql.table(table.name);
    return db
      .selectFrom(
        sql<Record<string, unknown>>`(
          select ${columns} from ${name} where ${isInKeyRange(table, range, p)}
          order by ${columns} limit 1 offset ${sql.lit(step - 1)}
        )`.as("bound"),
      )
      .selectAll();
  });
  bounds.set(shape, made);
  return made;
}

/** All of a table, in ranges of so many rows. */
export async function* keyRanges(
  { system }: Pick<Database, "system">,
  table: WorkspaceTable,
  step: number,
): AsyncGenerator<KeyRange> {
  let after: Key | null = null;
  for (;;) {
    const rest: KeyRange = { after, upTo: null };
    const found = await system.get(boundBehind(table, rest, step), boundBy(rest));
    if (found === undefined) {
      yield rest;
      return;
    }
    const upTo: Key = table.key.map((column) => found[column]);
    yield { after, upTo };
    after = upTo;
  }
}

const deletions = new Map<string, Statement<Bound, unknown>>();

/** Deletes the rows of the workspace that are in the range. */
export function deleteKeyRange(table: WorkspaceTable, range: KeyRange): Statement<Bound, unknown> {
  const shape = keyRangeShape(table, range);
  const known = deletions.get(shape);
  if (known !== undefined) return known;
  const made = workspaceStatement<Bound>()((db, p) =>
    db
      .deleteFrom(table.name as "workspace_sizes")
      .where("workspace_id", "=", p.workspace_id)
      .where(isInKeyRange(table, range, p)),
  );
  deletions.set(shape, made);
  return made;
}
