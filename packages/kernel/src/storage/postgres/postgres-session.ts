import type { PoolClient, QueryResult } from "pg";
import type { Queries, SystemTransaction, Transaction } from "../database.ts";
import {
  bind,
  type Compiled,
  type Query,
  type Statement,
  type SystemStatement,
} from "../statement.ts";
import { type Message, wireOf } from "./confined-query.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { fromPostgresError } from "./postgres-errors.ts";
import type { Runner } from "./postgres-runner.ts";

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
    const message = this.messageOf(statement, parameters);
    const { rows } = await this.send({ ...message, isQuick: true });
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

  protected messageOf<P>(statement: AnyStatement<P, unknown>, parameters: P): Message {
    const compiled = statement.compiledFor(this.dialect);
    const values = bind(compiled, parameters, this.#workspaceId);
    return { text: compiled.sql, values, name: nameOf(compiled) };
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
interface Turn {
  readonly client: PoolClient;
  readonly topics: Set<string>;
  /** Nobody waits for these: they go with the next statement that somebody waits for, in one message. */
  readonly unsent: (() => Promise<unknown>)[];
  over: boolean;
  failure: unknown;
}

/** A transaction that begins with its first statement. */
export function newTurn(client: PoolClient): Turn {
  const begin = () => client.query("begin");
  return { client, topics: new Set(), unsent: [begin], over: false, failure: undefined };
}

/**
 * One write on a connection of its own. Once it is over the connection belongs to another, so it can
 * no longer touch it; once a statement has failed the server commits nothing of it.
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

  inWorkspace(workspaceId: string): PostgresTransaction {
    return new PostgresTransaction(this.runner, this.#turn, workspaceId);
  }

  nudge(topic: string): void {
    this.#turn.topics.add(topic);
  }

  tell<P>(statement: AnyStatement<P, unknown>, parameters: P): void {
    this.#assertOpen();
    const message = this.messageOf(statement, parameters);
    this.#turn.unsent.push(() => super.send(message));
  }

  /** Sends SQL as it stands, and waits for the answer for so long. */
  async execute(text: string, timeoutMs: number): Promise<QueryResult> {
    const query = { text, query_timeout: timeoutMs };
    return this.#together(() => this.#turn.client.query(query));
  }

  /** Commits what was done, and what was only told so far; false when the server took it back instead. */
  async commit(): Promise<boolean> {
    this.close();
    const { command } = await this.#together(() => this.#turn.client.query("commit"));
    return command === "COMMIT";
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

  /** Everything that is unsent, and what is waited for, in one message. */
  #together<T>(send: () => Promise<T>): Promise<T> {
    const { unsent, client } = this.#turn;
    if (unsent.length === 0) return send();
    const { stream } = wireOf(client);
    stream.cork();
    try {
      for (const sendNext of unsent.splice(0))
        sendNext().catch((error: unknown) => {
          this.#turn.failure ??= error;
        });
      return send();
    } finally {
      stream.uncork();
    }
  }
}
