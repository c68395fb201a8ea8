import type { ClientBase, QueryResult } from "pg";
import type { Queries, SystemTransaction, Transaction } from "../database.ts";
import { postgresDialect } from "../dialect.ts";
import {
  bind,
  type Compiled,
  type Query,
  type Statement,
  type SystemStatement,
} from "../statement.ts";
import { fromPostgresError } from "./postgres-errors.ts";

type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;

/** A pool or one connection of it. */
export type Runner = Pick<ClientBase, "query">;

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

interface Message {
  readonly text: string;
  readonly values: unknown[];
  readonly name: string | undefined;
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
    const { rows } = await this.#execute(statement, parameters);
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
    const compiled = statement.compiledFor(this.dialect);
    const values = bind(compiled, parameters, this.#workspaceId);
    return this.send({ text: compiled.sql, values, name: nameOf(compiled) });
  }

  protected async send({ text, values, name }: Message): Promise<QueryResult> {
    try {
      return await this.runner.query(
        name === undefined ? { text, values } : { text, values, name },
      );
    } catch (error) {
      throw fromPostgresError(error);
    }
  }
}

/** What all views of one transaction share. */
interface Turn {
  readonly topics: Set<string>;
  over: boolean;
  failure: unknown;
}

/**
 * One write on a connection of its own. Once it is over the connection belongs to another, so it can
 * no longer touch it; once a statement has failed the server commits nothing of it.
 */
export class PostgresTransaction extends PostgresQueries implements Transaction, SystemTransaction {
  readonly #turn: Turn;

  constructor(
    runner: Runner,
    workspaceId: string | null = null,
    turn: Turn = { topics: new Set(), over: false, failure: undefined },
  ) {
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
    return new PostgresTransaction(this.runner, workspaceId, this.#turn);
  }

  nudge(topic: string): void {
    this.#turn.topics.add(topic);
  }

  close(): void {
    this.#turn.over = true;
  }

  protected override async send(message: Message): Promise<QueryResult> {
    if (this.#turn.over)
      throw new Error("The transaction is over: await every statement inside it");
    if (this.#turn.failure !== undefined) throw this.#turn.failure;
    try {
      return await super.send(message);
    } catch (error) {
      this.#turn.failure ??= error;
      throw error;
    }
  }
}
