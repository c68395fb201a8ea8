// The door to the database: SQLite or PostgreSQL behind one interface, migrations, and the disk.

export { guardBulkWrites } from "./disk/bulk-writes.ts";
export { ampleDisk, type DiskSpace, DiskWatch } from "./disk/disk-space.ts";
export { StorageAwayError } from "./errors/storage-away.ts";
export { kernelMigrations } from "./migrations/index.ts";
export { unclaimed } from "./storage/claim.ts";
export { Column, column, type Trait } from "./storage/column.ts";
export type {
  CountedKind,
  Database,
  Queries,
  ReturnedRow,
  SystemTransaction,
  Transaction,
  WriteStats,
} from "./storage/database.ts";
export type {
  ColumnTypes,
  ComputedField,
  Dialect,
  Fields,
  LookedUpFields,
  RowSql,
} from "./storage/dialect.ts";
export { rowInsert } from "./storage/insert-rows.ts";
export type { JsonBytes, JsonText } from "./storage/json-text.ts";
export { idRows, idTable, listedIds } from "./storage/listed-ids.ts";
export {
  type BuildLockedRow,
  type ConfirmedVersion,
  isAsRead,
  type LockedRow,
  lockedRowBy,
} from "./storage/locked-row.ts";
export {
  isMigrated,
  type Migration,
  type MigrationList,
  migrate,
  NewerDatabaseError,
  sharedTables,
  stampMigrations,
} from "./storage/migrate.ts";
export { isMissingValue } from "./storage/missing-value.ts";
export { openDatabase } from "./storage/open-database.ts";
export { pick } from "./storage/pick.ts";
export type { RowTexts } from "./storage/pipelined-rows.ts";
export { rowSql } from "./storage/record-json.ts";
export { arraySql, recordSql, recordText, textOf } from "./storage/record-sql.ts";
export { lockForThisProcess } from "./storage/sqlite/process-lock.ts";
export { sqliteTagTriggers } from "./storage/sqlite/sqlite-tags.ts";
export {
  type Placeholders,
  type Query,
  type Statement,
  type Statements,
  type SystemStatement,
  statementsFor,
} from "./storage/statement.ts";
export {
  type ChangesOf,
  defineTable,
  type RowOf,
  type StoredRow,
  type Table,
} from "./storage/table.ts";
export type { TrigramIndex, TrigramIndexPass } from "./storage/trigram-index.ts";
export { createWriteProbe, probeWrite, type WriteProbe } from "./storage/write-probe.ts";
