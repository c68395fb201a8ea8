import type { PoolClient, QueryResult } from "pg";
import type { Asked, Queries, SystemTransaction, Transaction } from "../database.ts";
import {
  bind,
  type Compiled,
  type Query,
  type Statement,
  type SystemStatement,
} from "../statement.ts";
import type { Wall } from "./confined-query.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { fromPostgresError } from "./postgres-errors.ts";
import { queryOn, type Runner } from "./postgres-runner.ts";
import { type Message, wireOf } from "./prepared-query.ts";

type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;

/** Names by which the server keeps statements prepared. Filtered lists can take many shapes, so their number is bounded. */
const MAX_NAMED_QUERIES = 500;
const names = new Map<Compiled | string, string>();

function nameOf(statement: Compiled | string): string | undefined {
  const known = names.get(statement);
  if (known !== undefined) return known;
  if (typeof statement === "string" && names.size >= MAX_NAMED_QUERIES) return undefined;
  const name = `s${names.size + 1}`;
  names.set(statement, name);
  return name;
}

export class PostgresQueries implements Queries {
  readonly dialect = postgresDialect;
  readonly runner: Runner;
  readonly #workspaceId: string | null;

  constructor(runner: Runner, workspaceId: string | null) {
    this.runner = runner;
    this.#workspaceId = workspaceId;
  }

  get workspaceId(): string {
    if (this.#workspaceId === null) throw new Error("This transaction belongs to no workspace");
    return this.#workspaceId;
  }

  async get<P, R>(statement: AnyStatement<P, R>, parameters: P): Promise<R | undefined> {
    const { rows } = await this.send(this.messageOf(statement, parameters, true));
    return rows[0] as R | undefined;
  }

  async all<P, R>(statement: AnyStatement<P, R>, parameters: P): Promise<R[]> {
    const { rows } = await this.#execute(statement, parameters);
    return rows as R[];
  }

  async run<P>(statement: AnyStatement<P, unknown>, parameters: P): Promise<number> {
    const { rowCount } = await this.#execute(statement, parameters);
    return rowCount ?? 0;
  }

  async select<R>({ sql, values }: Query): Promise<R | undefined> {
    const { rows } = await this.send({ text: sql, values: [...values], name: nameOf(sql) });
    return rows[0] as R | undefined;
  }

  async #execute<P>(statement: AnyStatement<P, unknown>, parameters: P): Promise<QueryResult> {
    return this.send(this.messageOf(statement, parameters));
  }

  protected messageOf<P>(
    statement: AnyStatement<P, unknown>,
    parameters: P,
    isQuick = false,
  ): Message {
    const compiled = statement.compiledFor(this.dialect);
    const values = bind(compiled, parameters, this.#workspaceId);
    return { text: compiled.sql, values, name: nameOf(compiled), isQuick };
  }

  protected async send(message: Message): Promise<QueryResult> {
    try {
      return await this.runner.query(message, this.#workspaceId);
    } catch (error) {
      throw fromPostgresError(error);
    }
  }
}

/** What all views of one transaction share. */
export interface Turn {
  readonly connect: () => Promise<PoolClient>;
  /** Asked for when something is waited for. */
  connecting: Promise<PoolClient> | null;
  /** The connection that it is done on. */
  client: PoolClient | null;
  isBegun: boolean;
  isTakenBack: boolean;
  readonly topics: Set<string>;
  /** Nobody waits for these: they go with the next statement that somebody waits for, in one message. */
  readonly unsent: (() => Promise<unknown>)[];
  over: boolean;
  failure: unknown;
}

export const newTurn = (connect: () => Promise<PoolClient>): Turn => ({
  connect,
  connecting: null,
  client: null,
  isBegun: false,
  isTakenBack: false,
  topics: new Set(),
  unsent: [],
  over: false,
  failure: undefined,
});

/** The statements of a transaction, once it has a connection. */
export function runnerIn(turn: Turn, wall: Wall | null): Runner {
  return {
    query(message, workspaceId) {
      if (turn.client === null) throw new Error("The transaction has no connection yet");
      return queryOn(turn.client, message, { wall, workspaceId, isInTransaction: true });
    },
  };
}

/**
 * One write. It takes a connection and begins with the first statement that is waited for. Once it is over the connection
 * belongs to another, so it can no longer touch it; once a statement has failed the server commits nothing of it.
 */
export class PostgresTransaction extends PostgresQueries implements Transaction, SystemTransaction {
  readonly #turn: Turn;

  constructor(runner: Runner, turn: Turn, workspaceId: string | null = null) {
    super(runner, workspaceId);
    this.#turn = turn;
  }

  get topics(): ReadonlySet<string> {
    return this.#turn.topics;
  }

  get failure(): unknown {
    return this.#turn.failure;
  }

  /** So that all of it can be sent at once. */
  get waitedForNothing(): boolean {
    return this.#turn.connecting === null;
  }

  get isEmpty(): boolean {
    return this.waitedForNothing && this.#turn.unsent.length === 0;
  }

  inWorkspace(workspaceId: string): PostgresTransaction {
    return new PostgresTransaction(this.runner, this.#turn, workspaceId);
  }

  nudge(topic: string): void {
    this.#turn.topics.add(topic);
  }

  tell<P>(statement: AnyStatement<P, unknown>, parameters: P): void {
    this.#later(this.messageOf(statement, parameters));
  }

  ask<P, R>(statement: AnyStatement<P, R>, parameters: P): Asked<R> {
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
    this.#turn.unsent.push(async () => take(await super.send(message)));
  }

  /** Sends SQL as it stands, and waits for the answer for so long. */
  async execute(text: string, timeoutMs: number): Promise<QueryResult> {
    const query = { text, query_timeout: timeoutMs };
    return this.#together((client) => client.query(query));
  }

  /** Commits what was done, and what was only told so far; false when the server took it back instead. */
  async commit(): Promise<boolean> {
    this.close();
    const { command } = await this.#together((client) => client.query("commit"));
    return command === "COMMIT";
  }

  /** Sends all that was told, on a connection where others begin and end the transaction; done when all of it was answered. */
  async sendOn(client: PoolClient): Promise<void> {
    this.#turn.client = client;
    await this.#send(this.#turn.unsent.splice(0));
  }

  close(): void {
    this.#turn.over = true;
  }

  protected override async send(message: Message): Promise<QueryResult> {
    this.#assertOpen();
    if (this.#turn.failure !== undefined) throw this.#turn.failure;
    try {
      return await this.#together(() => super.send(message));
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
    const told = turn.unsent.splice(0);
    const client = turn.client ?? (await this.#connected());
    if (turn.isTakenBack) throw new Error("The transaction is over: it was taken back");
    if (!turn.isBegun) told.unshift(() => client.query("begin"));
    turn.isBegun = true;
    if (told.length === 0) return send(client);
    const { stream } = wireOf(client);
    stream.cork();
    try {
      void this.#send(told);
      return send(client);
    } finally {
      stream.uncork();
    }
  }

  async #connected(): Promise<PoolClient> {
    const turn = this.#turn;
    turn.connecting ??= turn.connect();
    turn.client = await turn.connecting;
    return turn.client;
  }

  async #send(told: readonly (() => Promise<unknown>)[]): Promise<void> {
    const answers = told.map((send) =>
      send().catch((error: unknown) => {
        this.#turn.failure ??= error;
      }),
    );
    await Promise.all(answers);
  }
}
