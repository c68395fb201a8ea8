import type { QueryResult } from "pg";
import type { Queries } from "../database.ts";
import {
  bindValues,
  type Compiled,
  type Query,
  type Statement,
  type SystemStatement,
} from "../statement.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { fromPostgresError } from "./postgres-errors.ts";
import type { PostgresRunner } from "./postgres-runner.ts";
import type { Message } from "./prepared-query.ts";

export type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;

/**
 * Names by which the server keeps statements prepared. Filtered lists can take many shapes, so
 * their number is bounded.
 */
const MAX_NAMED_QUERIES = 500;
const names = new Map<Compiled | string, string>();

function nameOf(statement: Compiled | string): string | undefined {
  const known = names.get(statement);
  if (known !== undefined) return known;
  if (typeof statement === "string" && (names.size >= MAX_NAMED_QUERIES || isSearch(statement)))
    return undefined;
  const name = `s${names.size + 1}`;
  names.set(statement, name);
  return name;
}

/**
 * How many rows hold some letters depends on the letters. A prepared statement would soon keep one
 * plan for all of them: that of an index of letters, also where it finds every second row.
 */
export const isSearch = (sql: string): boolean => sql.includes(" ilike ") || sql.includes(" ~ ");

export class PostgresQueries implements Queries {
  readonly dialect = postgresDialect;
  readonly runner: PostgresRunner;
  readonly #workspaceId: string | null;

  constructor(runner: PostgresRunner, workspaceId: string | null) {
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

  async select<R>({ sql, values, findsOnly }: Query): Promise<R | undefined> {
    const workspaceId = findsOnly === true ? null : this.#workspaceId;
    const message = { text: sql, values: [...values], name: nameOf(sql) };
    const { rows } = await this.send(message, workspaceId);
    return rows[0] as R | undefined;
  }

  async #execute<P>(statement: AnyStatement<P, unknown>, parameters: P): Promise<QueryResult> {
    return this.send(this.messageOf(statement, parameters));
  }

  /** A change whose values are in order, to be sent later. */
  prepared<P>(statement: AnyStatement<P, unknown>, parameters: P): () => Promise<unknown> {
    const message = this.messageOf(statement, parameters);
    return () => this.send(message);
  }

  protected messageOf<P>(
    statement: AnyStatement<P, unknown>,
    parameters: P,
    isQuick = false,
  ): Message {
    const compiled = statement.compiledFor(this.dialect);
    const values = bindValues(compiled, parameters, this.#workspaceId);
    return { text: compiled.sql, values, name: nameOf(compiled), isQuick };
  }

  protected async send(
    message: Message,
    workspaceId: string | null = this.#workspaceId,
  ): Promise<QueryResult> {
    try {
      return await this.runner.query(message, workspaceId);
    } catch (error) {
      throw fromPostgresError(error);
    }
  }
}
