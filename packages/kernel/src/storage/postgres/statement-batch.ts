import type { PoolClient } from "pg";
import type { PipelinedRows } from "../pipelined-rows.ts";
import type { PostgresRunner } from "./postgres-runner.ts";
import type { QuerySender } from "./prepared-query.ts";

/** That a row is still of this version when the changes are sent. */
export interface RowConfirmation {
  readonly version: string;
  readonly send: () => Promise<unknown>;
}

/** What all views of one transaction share. */
export interface StatementBatch {
  readonly connect: () => Promise<PoolClient>;
  /** Reads beside the transaction; null where all is to be done in it. */
  readonly beside: PostgresRunner | null;
  /** Asked for when something is waited for. */
  connecting: Promise<PoolClient> | null;
  /** The connection that it is done on. */
  client: PoolClient | null;
  /** Takes its statements, on their way to a connection that it shares. */
  line: QuerySender | null;
  isBegun: boolean;
  isTakenBack: boolean;
  readonly topics: Set<string>;
  /**
   * Nobody waits for these: they go with the next statement that somebody waits for, in one
   * message.
   */
  readonly unsent: (() => Promise<unknown>)[];
  /** The same of rows, unless each write is to add its own. */
  readonly rows: PipelinedRows[];
  readonly addsApart: boolean;
  /** Whether a change is among these, or was; one that is waited for has a connection. */
  isChanging: boolean;
  /** Which rows are confirmed when it is sent. */
  readonly held: Set<string>;
  /** By the rows as they were read. */
  readonly confirmations: WeakMap<object, RowConfirmation>;
  /** Rows that are to be held and are not read yet. */
  readonly reading: Set<Promise<unknown>>;
  over: boolean;
  failure: unknown;
}

/**
 * All is named: an object that others are spread into before it gets more is of a kind of its own
 * to the engine each time.
 */
export const newStatementBatch = ({
  connect,
  beside,
  addsApart,
}: Pick<StatementBatch, "connect" | "beside" | "addsApart">): StatementBatch => ({
  connect,
  beside,
  addsApart,
  connecting: null,
  client: null,
  line: null,
  isBegun: false,
  isTakenBack: false,
  topics: new Set(),
  unsent: [],
  rows: [],
  isChanging: false,
  held: new Set(),
  confirmations: new WeakMap(),
  reading: new Set(),
  over: false,
  failure: undefined,
});
