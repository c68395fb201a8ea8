import type { Dialect } from "./dialect.ts";
import type { ConfirmedVersion, LockedRow } from "./locked-row.ts";
import type { RowTexts } from "./pipelined-rows.ts";
import type { Query, Statement, SystemStatement } from "./statement.ts";
import type { TrigramIndex, TrigramIndexPass } from "./trigram-index.ts";
import type { WakeUps } from "./wake-ups.ts";

/** Reads of one workspace. There is no way to get one without saying which. */
export interface Queries {
  readonly workspaceId: string;
  readonly dialect: Dialect;
  /** The first row, of what an index finds: on PostgreSQL others may wait behind it. */
  get<P, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined>;
  all<P, R>(statement: Statement<P, R>, parameters: P): Promise<R[]>;
  /** First row of a query put together at run time; the query names the workspace itself. */
  select<R>(query: Query): Promise<R | undefined>;
}

/** What a change answers. */
export interface ReturnedRow<R> {
  /** Its first row; there is none before the write that asked is done. */
  readonly answer: () => R | undefined;
}

/** What workspaces are held to an amount of. */
export type CountedKind = "runs" | "events";

/**
 * A write transaction in one workspace. It may be run again, after a collision or where others that
 * it was done with failed, so it does nothing but database work.
 */
export interface Transaction extends Queries {
  /**
   * Locks a row that the write decides by: until the commit it is as it was read. Several are
   * locked in the order of the calls, awaited or not. A row that does not exist is not locked, and
   * may appear.
   */
  lockRow<P, R>(row: LockedRow<P, R>, parameters: P): Promise<R | undefined>;
  /**
   * Changes a locked row. The statement has the condition `isAsRead` and so confirms the version
   * that was read by itself, unless something else is locked or changed before.
   */
  updateLocked<P>(
    held: object,
    statement: Statement<P & ConfirmedVersion, unknown>,
    parameters: P,
  ): void;
  /** Reads what is committed, outside of the transaction as long as it has changed nothing. */
  readonly committed: Queries;
  /** Runs a change and returns how many rows it affected. */
  run<P>(statement: Statement<P, unknown>, parameters: P): Promise<number>;
  /**
   * Makes a change whose result the write does not need. It is sent with the next statement, which
   * saves a round trip; if it fails, so does the write.
   */
  enqueue<P>(statement: Statement<P, unknown>, parameters: P): void;
  /** The same for a change that returns a row, which is not needed before the commit. */
  enqueueReturning<P, R>(statement: Statement<P, R>, parameters: P): ReturnedRow<R>;
  /**
   * Adds rows by a statement that takes any number of them; each of its values is a JSON array. On
   * PostgreSQL, writes that share a commit add theirs in one statement, behind their other changes.
   */
  enqueueRows<P extends RowTexts<P>>(statement: Statement<P, unknown>, rows: P): void;
  /** Wakes the subscribers of the topic, on every replica, once the change is committed. */
  notify(topic: string): void;
  /** Is called by stores for the rows that they add; absent where rows are not counted. */
  readonly added?: (kind: CountedKind, rows: number) => void;
}

export interface SystemQueries {
  readonly dialect: Dialect;
  get<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R | undefined>;
  all<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R[]>;
}

export interface SystemTransaction extends SystemQueries {
  run<P>(statement: SystemStatement<P, unknown>, parameters: P): Promise<number>;
  enqueue<P>(statement: SystemStatement<P, unknown>, parameters: P): void;
  enqueueReturning<P, R>(statement: SystemStatement<P, R>, parameters: P): ReturnedRow<R>;
  notify(topic: string): void;
  /** The same transaction, for the rows of one workspace. */
  inWorkspace(workspaceId: string): Transaction;
}

export interface SchemaSession {
  readonly dialect: Dialect;
  execute(sql: string): Promise<void>;
  rows<R>(sql: string): Promise<R[]>;
}

export interface WriteStats {
  /**
   * Called after each commit with the number of writes that shared it and how long the commit
   * itself took.
   */
  readonly onCommit: (writes: number, commitSeconds: number) => void;
}

/** What the engine itself puts between workspaces, behind the conditions of the statements. */
export type RowSecurity =
  | { readonly state: "on" }
  /** The engine has no such thing. */
  | { readonly state: "none" }
  /** The login may not do what it takes; `remedy` is what an administrator runs. */
  | { readonly state: "refused"; readonly reason: string; readonly remedy: string };

export interface Database {
  readonly dialect: Dialect;
  readonly wakeUps: WakeUps;
  /** Where the data is, fit to be shown: never with a password. */
  readonly location: string;
  readonly system: SystemQueries;
  in(workspaceId: string): Queries;
  /** Commits all that `work` did, or nothing of it; resolves when the commit is durable. */
  write<T>(workspaceId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  writeSystem<T>(work: (tx: SystemTransaction) => Promise<T>): Promise<T>;
  /** One transaction that no other replica can hold at the same time: for changes of the schema. */
  exclusively<T>(work: (session: SchemaSession) => Promise<T>): Promise<T>;
  /**
   * From now on the engine keeps statements of one workspace from the rows of all others, also
   * those that forget to say so; tables of no workspace are out of their reach, but for reading the
   * `shared` ones. Called when the schema is up to date, before anything else is done.
   */
  confineRows(shared?: readonly string[]): Promise<RowSecurity>;
  /**
   * Brings an index of letters up to date, or makes it: a bounded pass, for one replica at a time.
   */
  updateTrigramIndex(index: TrigramIndex, signal: AbortSignal): Promise<TrigramIndexPass>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Lets writes under way finish and refuses later ones. May be called again. */
  close(): Promise<void>;
}
