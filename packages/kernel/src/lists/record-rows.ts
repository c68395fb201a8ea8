// Which rows of a page its records are built of, so that none is built in vain.

import type { Dialect } from "../storage/dialect.ts";

/**
 * By which the one engine that looks rows up again tells them apart: nothing is found faster, and
 * the same id may be there in several workspaces.
 */
const ROW_NUMBER = "rowid";

interface PageRows {
  readonly table: string;
  readonly workspace: string;
  /** From where, which, in which order and how many: what follows `select`. */
  readonly page: string;
  readonly offset: number;
  readonly isLarge: boolean;
  /** The rows of an index of tags are joined to those of the list. */
  readonly isTagged: boolean;
}

/** What follows `select record`. */
export function recordRows(dialect: Dialect, rows: PageRows): string {
  if (dialect.buildsPassedOver && rows.offset > 0) return behindOthers(rows);
  const { table, page, isLarge, isTagged } = rows;
  if (!dialect.buildsBeforeSorting || !(isLarge || isTagged)) return page;
  const row = `${table}.${ROW_NUMBER}`;
  // A cross join is gone through as it is written: the rows of the page in their order, and no
  // record is carried through a sorting.
  return `from (select ${row} as row_number ${page}) page cross join ${table} on ${row} = page.row_number`;
}

/**
 * In a large list what comes before a page is passed over by its ids, which may all stand in the
 * index that sorts them. `offset 0` has the rows of the page looked up one by one in that order,
 * however many they seem to be.
 */
function behindOthers({ table, workspace, page, isLarge }: PageRows): string {
  if (!isLarge) return `from (select ${table}.* ${page}) ${table}`;
  const own = `select * from ${table} where ${table}.workspace_id = ${workspace} and ${table}.id = page.id offset 0`;
  return `from (select ${table}.id ${page}) page cross join lateral (${own}) ${table}`;
}
