import type { ClientBase } from "pg";
import type { Queries, SystemTransaction, Transaction } from "../database.ts";
import { postgresDialect } from "../dialect.ts";
import { bind, type Compiled, type Query, type Statement, type SystemStatement } from "../statement.ts";
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

async function query(runner: Runner, sql: string, values: unknown[], name: string | undefined) {
  try {
    return await runner.query(name === undefined ? { text: sql, values } : { name, text: sql, values });
  } catch (error) {
    throw fromPostgresError(error);
  }
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
    const { rows } = await query(this.runner, sql, [...values], nameOf(sql));
    return rows[0] as R | undefined;
  }

  #execute<P>(statement: AnyStatement<P, unknown>, parameters: P) {
    const compiled = statement.compiledFor(this.dialect);
    return query(this.runner, compiled.sql, bind(compiled, parameters, this.#workspaceId), nameOf(compiled));
  }
}

export class PostgresTransaction extends PostgresQueries implements Transaction, SystemTransaction {
  readonly topics: Set<string>;

  constructor(runner: Runner, topics: Set<string>, workspaceId: string | null = null) {
    super(runner, workspaceId);
    this.topics = topics;
  }

  inWorkspace(workspaceId: string): PostgresTransaction {
    return new PostgresTransaction(this.runner, this.topics, workspaceId);
  }

  nudge(topic: string): void {
    this.topics.add(topic);
  }
}
