import { DatabaseSync } from "@photostructure/sqlite";
import type { Dialect } from "../dialect.ts";
import { sqliteDialect } from "../dialect.ts";
import { bind, type Compiled, type Query, type Statement, type SystemStatement } from "../statement.ts";
import { fromSqliteError } from "./sqlite-errors.ts";

type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;
type StatementSync = ReturnType<InstanceType<typeof DatabaseSync>["prepare"]>;
type SqlValue = string | number | bigint | null | Uint8Array;

/** Filtered lists can take many shapes; the ones used last stay prepared. */
const MAX_PREPARED_QUERIES = 500;
const BUSY_TIMEOUT_MS = 5000;

/** One connection with every statement prepared at most once. Preparing costs more than running. */
export class SqliteConnection {
  readonly dialect: Dialect = sqliteDialect;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<Compiled, StatementSync>();
  readonly #queries = new Map<string, StatementSync>();

  constructor(file: string, pragmas: Readonly<Record<string, string | number>>) {
    this.#db = translated(() => new DatabaseSync(file));
    const settings = { busy_timeout: BUSY_TIMEOUT_MS, foreign_keys: "on", ...pragmas };
    for (const [name, value] of Object.entries(settings)) this.execute(`pragma ${name} = ${value}`);
  }

  execute(sql: string): void {
    translated(() => this.#db.exec(sql));
  }

  /** A statement without values that is run again and again, such as `commit`. */
  command(sql: string): void {
    translated(() => this.#preparedQuery(sql).run());
  }

  rows<R>(sql: string): R[] {
    return translated(() => this.#db.prepare(sql).all() as R[]);
  }

  get<P, R>(statement: AnyStatement<P, R>, parameters: P, workspaceId: string | null): R | undefined {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bind(compiled, parameters, workspaceId));
    return translated(() => this.#prepared(compiled).get(...values) as R | undefined);
  }

  all<P, R>(statement: AnyStatement<P, R>, parameters: P, workspaceId: string | null): R[] {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bind(compiled, parameters, workspaceId));
    return translated(() => this.#prepared(compiled).all(...values) as R[]);
  }

  run<P>(statement: AnyStatement<P, unknown>, parameters: P, workspaceId: string | null): number {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bind(compiled, parameters, workspaceId));
    return translated(() => Number(this.#prepared(compiled).run(...values).changes));
  }

  select<R>(query: Query): R | undefined {
    const values = encode([...query.values]);
    return translated(() => this.#preparedQuery(query.sql).get(...values) as R | undefined);
  }

  close(): void {
    this.#db.close();
  }

  #prepared(compiled: Compiled): StatementSync {
    const known = this.#statements.get(compiled);
    if (known !== undefined) return known;
    const fresh = this.#db.prepare(compiled.sql);
    this.#statements.set(compiled, fresh);
    return fresh;
  }

  #preparedQuery(sql: string): StatementSync {
    const known = this.#queries.get(sql);
    if (known !== undefined) {
      this.#queries.delete(sql);
      this.#queries.set(sql, known);
      return known;
    }
    if (this.#queries.size >= MAX_PREPARED_QUERIES) {
      const oldest = this.#queries.keys().next();
      if (!oldest.done) this.#queries.delete(oldest.value);
    }
    const fresh = this.#db.prepare(sql);
    this.#queries.set(sql, fresh);
    return fresh;
  }
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromSqliteError(error);
  }
}

function encode(values: unknown[]): SqlValue[] {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === true) values[i] = 1;
    else if (value === false) values[i] = 0;
  }
  return values as SqlValue[];
}
