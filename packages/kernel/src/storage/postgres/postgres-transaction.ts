import type { PoolClient, QueryResult } from "pg";
import type { ReturnedRow, SystemTransaction, Transaction } from "../database.ts";
import type { ConfirmedVersion, LockedRow } from "../locked-row.ts";
import {
  asArrays,
  gathered,
  type PipelinedRows,
  pipelinedRows,
  type RowTexts,
} from "../pipelined-rows.ts";
import type { Statement } from "../statement.ts";
import type { Wall } from "./confined-query.ts";
import { fromConfirmation } from "./postgres-errors.ts";
import { type AnyStatement, PostgresQueries } from "./postgres-queries.ts";
import { type PostgresRunner, queryOn } from "./postgres-runner.ts";
import { isWritable, type Message, type QuerySender, wireOf } from "./prepared-query.ts";
import type { StatementBatch } from "./statement-batch.ts";

/** The statements of a transaction, once it has a connection. */
export function runnerIn(turn: StatementBatch, wall: Wall | null): PostgresRunner {
  return {
    query(message, workspaceId) {
      const line = turn.line ?? turn.client;
      if (line === null) throw new Error("The transaction has no connection yet");
      return queryOn(line, message, { wall, workspaceId, isInTransaction: true });
    },
  };
}

/**
 * One write. It takes a connection and begins with the first statement that is waited for. Once it
 * is over the connection belongs to another, so it can no longer touch it; once a statement has
 * failed the server commits nothing of it.
 */
export class PostgresTransaction extends PostgresQueries implements Transaction, SystemTransaction {
  readonly #turn: StatementBatch;

  constructor(runner: PostgresRunner, turn: StatementBatch, workspaceId: string | null = null) {
    super(runner, workspaceId);
    this.#turn = turn;
  }

  get topics(): ReadonlySet<string> {
    return this.#turn.topics;
  }

  /** The rows that it read before, and confirms with its changes. */
  get held(): ReadonlySet<string> {
    return this.#turn.held;
  }

  get failure(): unknown {
    return this.#turn.failure;
  }

  /** So that all of it can be sent at once. */
  get waitedForNothing(): boolean {
    return this.#turn.connecting === null;
  }

  get isEmpty(): boolean {
    return this.waitedForNothing && !this.#turn.isChanging;
  }

  inWorkspace(workspaceId: string): PostgresTransaction {
    return new PostgresTransaction(this.runner, this.#turn, workspaceId);
  }

  notify(topic: string): void {
    this.#turn.topics.add(topic);
  }

  /** Not the transaction itself only while it has done nothing that should be seen. */
  get committed(): PostgresQueries {
    const { beside, isChanging } = this.#turn;
    if (beside === null || isChanging || !this.waitedForNothing) return this;
    return new PostgresQueries(beside, this.workspaceId);
  }

  async lockRow<P, R>(row: LockedRow<P, R>, parameters: P): Promise<R | undefined> {
    this.#assertOpen();
    const { committed: beside } = this;
    if (beside === this) return this.get(row.lock, parameters);
    const reading = beside.get(row.read, parameters);
    let version: string | null = null;
    const send = async (): Promise<unknown> =>
      version === null
        ? null
        : super.send(this.messageOf(row.confirm, { row_version: version, ...parameters }));
    this.#turn.unsent.push(send);
    this.#turn.reading.add(reading);
    try {
      const held = await reading;
      if (held === undefined) return undefined;
      version = held.row_version;
      this.#turn.held.add(this.#keyOf(parameters));
      this.#turn.confirmations.set(held, { version, send });
      return held;
    } catch (error) {
      this.#turn.failure ??= error;
      throw error;
    } finally {
      this.#turn.reading.delete(reading);
    }
  }

  #keyOf<P>(parameters: P): string {
    let key = this.workspaceId;
    for (const name in parameters) key += ` ${JSON.stringify(parameters[name])}`;
    return key;
  }

  /**
   * Once all rows are read that are to be held: what is sent before that would not confirm them.
   */
  async haveRead(): Promise<void> {
    while (this.#turn.reading.size > 0) await Promise.allSettled(this.#turn.reading);
    if (this.#turn.failure !== undefined) throw this.#turn.failure;
  }

  updateLocked<P>(
    held: object,
    statement: AnyStatement<P & ConfirmedVersion, unknown>,
    parameters: P,
  ): void {
    const { unsent, confirmations } = this.#turn;
    const confirmation = confirmations.get(held);
    const isNext = confirmation !== undefined && confirmation.send === unsent.at(-1);
    const row_version = isNext ? confirmation.version : null;
    this.enqueue(statement, { row_version, ...parameters });
    // What confirmed it until now stands right before the change.
    if (row_version !== null) unsent.splice(-2, 1);
  }

  enqueue<P>(statement: AnyStatement<P, unknown>, parameters: P): void {
    this.#later(this.messageOf(statement, parameters));
  }

  enqueueRows<P extends RowTexts<P>>(statement: Statement<P, unknown>, rows: P): void {
    if (this.#turn.addsApart) {
      this.enqueue(statement, asArrays(rows));
      return;
    }
    this.#assertOpen();
    this.#turn.isChanging = true;
    this.#turn.rows.push(pipelinedRows(this.workspaceId, statement, rows));
  }

  enqueueReturning<P, R>(statement: AnyStatement<P, R>, parameters: P): ReturnedRow<R> {
    let rows: readonly unknown[] | null = null;
    this.#later(this.messageOf(statement, parameters), (result) => {
      rows = result.rows;
    });
    return {
      answer() {
        if (rows === null) throw new Error("The write is not done yet");
        return rows[0] as R | undefined;
      },
    };
  }

  #later(message: Message, take: (result: QueryResult) => void = () => {}): void {
    this.#assertOpen();
    // What the driver fails to write would leave the messages of others half sent.
    if (!message.values.every(isWritable)) throw new Error(`Not to be sent: ${message.text}`);
    this.#turn.isChanging = true;
    this.#turn.unsent.push(async () => take(await super.send(message)));
  }

  /** Sends SQL as it stands, and waits for the answer for so long. */
  async execute(text: string, timeoutMs: number): Promise<QueryResult> {
    const query = { text, query_timeout: timeoutMs };
    return this.#together((client) => client.query(query));
  }

  /**
   * Commits what was done, and what was only told so far; false when the server took it back
   * instead.
   */
  async commit(): Promise<boolean> {
    this.close();
    const { command } = await this.#together((client) => client.query("commit"));
    return command === "COMMIT";
  }

  /**
   * Sends all that was told but rows, on a connection where others begin and end the transaction;
   * done when all of it was answered.
   */
  async sendOn(line: QuerySender): Promise<void> {
    this.#turn.line = line;
    await this.#send(this.#turn.unsent.splice(0));
  }

  /** The rows that were told, which others may send. */
  takeRows(): PipelinedRows[] {
    return this.#turn.rows.splice(0);
  }

  /** What adds rows, also of others that are sent on the same line. */
  additions(told: readonly PipelinedRows[]): (() => Promise<unknown>)[] {
    return gathered(told).map(({ workspaceId, statement, parameters }) =>
      new PostgresQueries(this.runner, workspaceId).prepared(statement, parameters),
    );
  }

  close(): void {
    this.#turn.over = true;
  }

  protected override async send(
    message: Message,
    workspaceId?: string | null,
  ): Promise<QueryResult> {
    this.#assertOpen();
    if (this.#turn.failure !== undefined) throw this.#turn.failure;
    try {
      return await this.#together(() => super.send(message, workspaceId));
    } catch (error) {
      this.#turn.failure ??= error;
      throw this.#turn.failure;
    }
  }

  #assertOpen(): void {
    if (this.#turn.over)
      throw new Error("The transaction is over: await every statement inside it");
  }

  /** What was told before, and what is waited for, in one message. */
  async #together<T>(send: (client: PoolClient) => Promise<T>): Promise<T> {
    const turn = this.#turn;
    const told = [...turn.unsent.splice(0), ...this.additions(this.takeRows())];
    if (turn.reading.size > 0) await this.haveRead();
    const client = turn.client ?? (await this.#connected());
    if (turn.isTakenBack) throw new Error("The transaction is over: it was taken back");
    if (!turn.isBegun) told.unshift(() => client.query("begin"));
    turn.isBegun = true;
    if (told.length === 0) return send(client);
    const { stream } = wireOf(client);
    let sent: Promise<void>;
    let answer: Promise<T>;
    stream.cork();
    try {
      sent = this.#send(told);
      answer = send(client);
    } finally {
      stream.uncork();
    }
    // What came before it may have failed, which is why.
    await Promise.allSettled([sent, answer]);
    return answer;
  }

  async #connected(): Promise<PoolClient> {
    const turn = this.#turn;
    turn.connecting ??= turn.connect();
    turn.client = await turn.connecting;
    return turn.client;
  }

  /** What fails first is why the others do. */
  async #send(told: readonly (() => Promise<unknown>)[]): Promise<void> {
    const answers = await Promise.allSettled(told.map((send) => send()));
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed !== undefined) this.#turn.failure ??= fromConfirmation(failed.reason);
  }
}
