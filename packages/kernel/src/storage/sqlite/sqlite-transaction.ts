import type { Queries, ReturnedRow, SystemTransaction, Transaction } from "../database.ts";
import type { ConfirmedVersion, LockedRow } from "../locked-row.ts";
import { asArrays, type RowTexts } from "../pipelined-rows.ts";
import type { Query, Statement, SystemStatement } from "../statement.ts";
import type { LongReads } from "./long-reads.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;

/**
 * Reads on the reader's connection, the long ones beside it where there is a place for them. They
 * see the last commit and never wait for a write under way.
 */
export class SqliteQueries implements Queries {
  protected readonly connection: SqliteConnection;
  readonly #workspaceId: string | null;
  readonly #longReads: LongReads | null;

  constructor(
    connection: SqliteConnection,
    workspaceId: string | null,
    longReads: LongReads | null = null,
  ) {
    this.connection = connection;
    this.#workspaceId = workspaceId;
    this.#longReads = longReads;
  }

  get dialect() {
    return this.connection.dialect;
  }

  get workspaceId(): string {
    if (this.#workspaceId === null) throw new Error("This transaction belongs to no workspace");
    return this.#workspaceId;
  }

  // The methods are async so that what SQLite throws becomes a rejection, as on any other engine.
  async get<P, R>(statement: AnyStatement<P, R>, parameters: P): Promise<R | undefined> {
    return this.getNow(statement, parameters);
  }

  protected getNow<P, R>(statement: AnyStatement<P, R>, parameters: P): R | undefined {
    return this.use((connection) => connection.get(statement, parameters, this.#workspaceId));
  }

  async all<P, R>(statement: AnyStatement<P, R>, parameters: P): Promise<R[]> {
    return this.use((connection) => connection.all(statement, parameters, this.#workspaceId));
  }

  async run<P>(statement: AnyStatement<P, unknown>, parameters: P): Promise<number> {
    return this.runNow(statement, parameters);
  }

  protected runNow<P>(statement: AnyStatement<P, unknown>, parameters: P): number {
    return this.use((connection) => connection.run(statement, parameters, this.#workspaceId));
  }

  async select<R>(query: Query): Promise<R | undefined> {
    if (this.#longReads?.isLong(query)) return this.#longReads.get<R>(query);
    return this.use((connection) => connection.select<R>(query));
  }

  protected use<T>(work: (connection: SqliteConnection) => T): T {
    return work(this.connection);
  }
}

/**
 * One write inside the writer's batch. Once its turn is over it can no longer touch the connection,
 * and once a statement has failed it can no longer commit, as on any other engine.
 */
export class SqliteTransaction extends SqliteQueries implements Transaction, SystemTransaction {
  readonly #turn: { over: boolean; failure: unknown };
  readonly #topics: string[];

  constructor(
    connection: SqliteConnection,
    topics: string[],
    workspaceId: string | null = null,
    turn: { over: boolean; failure: unknown } = { over: false, failure: undefined },
  ) {
    super(connection, workspaceId);
    this.#topics = topics;
    this.#turn = turn;
  }

  inWorkspace(workspaceId: string): SqliteTransaction {
    return new SqliteTransaction(this.connection, this.#topics, workspaceId, this.#turn);
  }

  get committed(): Queries {
    return this;
  }

  /** Nobody else writes meanwhile. */
  lockRow<P, R>({ lock }: LockedRow<P, R>, parameters: P): Promise<R | undefined> {
    return this.get(lock, parameters);
  }

  updateLocked<P>(
    _: object,
    statement: AnyStatement<P & ConfirmedVersion, unknown>,
    parameters: P,
  ): void {
    this.enqueue(statement, { row_version: null, ...parameters });
  }

  notify(topic: string): void {
    this.#topics.push(topic);
  }

  enqueue<P>(statement: AnyStatement<P, unknown>, parameters: P): void {
    this.#later(() => this.runNow(statement, parameters));
  }

  enqueueRows<P extends RowTexts<P>>(statement: Statement<P, unknown>, rows: P): void {
    this.enqueue(statement, asArrays(rows));
  }

  enqueueReturning<P, R>(statement: AnyStatement<P, R>, parameters: P): ReturnedRow<R> {
    const row = this.#later(() => this.getNow(statement, parameters));
    return { answer: () => row };
  }

  /** What the database refused is told by the next statement, or at the end of the write. */
  #later<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (this.isSound) throw error;
      return undefined;
    }
  }

  get isSound(): boolean {
    return this.#turn.failure === undefined;
  }

  assertSound(): void {
    if (this.#turn.failure !== undefined) throw this.#turn.failure;
  }

  close(): void {
    this.#turn.over = true;
  }

  protected override use<T>(work: (connection: SqliteConnection) => T): T {
    if (this.#turn.over)
      throw new Error("The transaction is over: await every statement inside it");
    this.assertSound();
    try {
      return super.use(work);
    } catch (error) {
      this.#turn.failure = error;
      throw error;
    }
  }
}
