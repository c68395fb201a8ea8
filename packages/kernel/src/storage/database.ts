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

/** A write transaction in one workspace. It may be run again, after a collision or where others that it was done with failed, so it does nothing but database work. */
export interface Transaction extends Queries {
  /**
   * A row that the write decides by: it is as it was read until the commit. Several are held in the order in which they
   * are asked for, also where nobody waits for the one before. That there is none is not held: one may appear.
   */
  hold<P, R>(row: LockedRow<P, R>, parameters: P): Promise<R | undefined>;
  /**
   * Tells a change of a row that was held. The statement has the condition `isAsRead`, and so confirms the row by itself, unless something else
   * is to be held or changed before.
   */
  tellChange<P>(
    held: object,
    statement: Statement<P & ConfirmedVersion, unknown>,
    parameters: P,
  ): void;
  /** For what others may change before the commit: as long as the write has changed nothing it is read beside it, and nothing is waited for. */
  readonly beside: Queries;
  /** Runs a change and tells how many rows it touched. */
  run<P>(statement: Statement<P, unknown>, parameters: P): Promise<number>;
  /**
   * Makes a change whose outcome nobody needs to know before the commit. It is sent along with what comes next, which
   * saves a round trip; if it fails, so does the write.
   */
  tell<P>(statement: Statement<P, unknown>, parameters: P): void;
  /** The same, of a change that answers with a row which is needed when the write is done, and not before. */
  ask<P, R>(statement: Statement<P, R>, parameters: P): ReturnedRow<R>;
  /**
   * Tells of rows that a statement adds which can add any number of them; each of its values is a JSON array. Where statements are round
   * trips, writes that are committed together add theirs together, behind all else that they change.
   */
  tellRows<P extends RowTexts<P>>(statement: Statement<P, unknown>, rows: P): void;
  /** Wakes whoever waits for the topic, on every replica, once the change is committed. */
  nudge(topic: string): void;
  /** Hears of rows that were added, from the stores that add them; not there where nobody counts. */
  readonly added?: (kind: CountedKind, rows: number) => void;
}

export interface SystemQueries {
  readonly dialect: Dialect;
  get<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R | undefined>;
  all<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R[]>;
}

export interface SystemTransaction extends SystemQueries {
  run<P>(statement: SystemStatement<P, unknown>, parameters: P): Promise<number>;
  tell<P>(statement: SystemStatement<P, unknown>, parameters: P): void;
  ask<P, R>(statement: SystemStatement<P, R>, parameters: P): ReturnedRow<R>;
  nudge(topic: string): void;
  /** The same transaction, for the rows of one workspace. */
  inWorkspace(workspaceId: string): Transaction;
}

export interface SchemaSession {
  readonly dialect: Dialect;
  execute(sql: string): Promise<void>;
  rows<R>(sql: string): Promise<R[]>;
}

export interface WriteStats {
  /** Called after each commit with the number of writes that shared it and how long the commit itself took. */
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
  readonly nudges: WakeUps;
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
   * From now on the engine keeps statements of one workspace from the rows of all others, also those that forget to
   * say so; tables of no workspace are out of their reach, but for reading the `shared` ones. Called when the schema is
   * up to date, before anything else is done.
   */
  confineRows(shared?: readonly string[]): Promise<RowSecurity>;
  /** Brings an index of letters up to date, or makes it: a bounded pass, for one replica at a time. */
  keepLetters(index: TrigramIndex, signal: AbortSignal): Promise<TrigramIndexPass>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Lets writes under way finish and refuses later ones. May be called again. */
  close(): Promise<void>;
}
