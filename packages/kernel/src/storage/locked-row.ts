// A row that a write decides by, so that nobody else may change it before the commit. To lock it
// when it is read takes a transaction that lasts until everything is decided. Where rows are locked
// it can also be read first, and be locked when the changes are sent, if it is still as it was
// read; otherwise the write is done again.

import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Placeholders, Statement, Statements } from "./statement.ts";

/** One row of one table, or none. */
export interface LockedRow<P, R> {
  /** Locks it, where the engine does. */
  readonly lock: Statement<P, R>;
  /** Tells also which version of it was read. */
  readonly read: Statement<P, R & RowVersion>;
  /** Locks it, or fails where it is no longer what was read. */
  readonly confirm: Statement<P & RowVersion, unknown>;
}

export interface RowVersion {
  readonly row_version: string;
}

/** Of a change that confirms the row on its way; null where that was done before. */
export interface ConfirmedVersion {
  readonly row_version: string | null;
}

type Build<DB, P, Table extends keyof DB, R> = (
  db: Kysely<DB>,
  p: Placeholders<P & { readonly workspace_id: string }>,
) => SelectQueryBuilder<DB, Table, R>;

export type BuildLockedRow<DB> = <P>() => <Table extends keyof DB, R>(
  build: Build<DB, P, Table, R>,
) => LockedRow<P, R>;

/** In the error of a row that could not be confirmed. */
export const ROW_CHANGED = "The row has changed since it was read";

/** Changes with every change of the row, whoever makes it. */
const VERSION = sql<string>`xmin::text`;

/**
 * Nothing but an error undoes a transaction that others share, and this is one: it is no boolean.
 */
const VERDICT = sql`cast(case count(*) when 1 then 'true' else ${sql.lit(ROW_CHANGED)} end as boolean)`;

/**
 * Condition: the row that is found is the one that was read, and locked from here on. It fails
 * otherwise, also where there is no such row any more; without a version the row may be any. `row`
 * finds it as it was found when it was held.
 */
export function isAsRead<DB, Table extends keyof DB, R>(
  row: SelectQueryBuilder<DB, Table, R>,
  version: string | null,
): RawBuilder<boolean> {
  const same = row
    .clearSelect()
    .select(sql`1`.as("found"))
    .where(VERSION, "=", sql<string>`coalesce(${version}, ${VERSION})`)
    .forNoKeyUpdate();
  return sql<boolean>`(select ${VERDICT} from ${same} as same)`;
}

export function lockedRowBy<DB>(statement: Statements<DB>["statement"]): BuildLockedRow<DB> {
  return <P>() =>
    <Table extends keyof DB, R>(build: Build<DB, P, Table, R>) => ({
      lock: statement<P>()((db, p, { locksRows }) =>
        locksRows ? build(db, p).forNoKeyUpdate() : build(db, p),
      ) as Statement<P, R>,
      read: statement<P>()((db, p) => build(db, p).select(VERSION.as("row_version"))) as Statement<
        P,
        R & RowVersion
      >,
      confirm: statement<P & RowVersion>()((db, p) => {
        return db.selectNoFrom([isAsRead(build(db, p), p.row_version).as("held")]);
      }),
    });
}
