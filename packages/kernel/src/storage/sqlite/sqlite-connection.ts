import { DatabaseSync } from "@photostructure/sqlite";
import type { Dialect } from "../dialect.ts";
import {
  bindValues,
  type Compiled,
  type Query,
  type Statement,
  type SystemStatement,
} from "../statement.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { fromSqliteError } from "./sqlite-errors.ts";

type AnyStatement<P, R> = Statement<P, R> | SystemStatement<P, R>;
type StatementSync = ReturnType<InstanceType<typeof DatabaseSync>["prepare"]>;
type Row = Record<string, unknown>;
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Filtered lists can take many shapes; the ones used last stay prepared. */
const MAX_PREPARED_QUERIES = 500;
const BUSY_TIMEOUT_MS = 5000;

/**
 * SQLite looks at the value of a limit that is a bare parameter to plan the statement, and so plans
 * it anew for every execution: ten times the cost of a short page. An expression is left alone.
 */
const BOUND_LIMIT = /\blimit \?\d*/g;

export const withPlainLimits = (sql: string): string => sql.replaceAll(BOUND_LIMIT, "$& + 0");

/**
 * A statement that can fail after it has changed something is made ready to be taken back: SQLite
 * copies every page that it changes, which costs a run as much as its insert does, and more the
 * longer the process lives. Here a statement that fails ends its transaction, so there is nothing
 * to take back to. It goes for what triggers do as well, whatever they say: one that says `or
 * ignore` fails all the same.
 */
const WRITE = /^\s*(?:insert(?= into\b)|update(?! or\b))/i;

const orFail = (sql: string): string => sql.replace(WRITE, "$& or fail");

/** A statement and the columns of its rows that hold 0 or 1 for a boolean. */
interface Prepared {
  readonly statement: StatementSync;
  readonly flags: readonly string[];
  readonly isQuery: boolean;
}

/** One connection with every statement prepared at most once. Preparing costs more than running. */
export class SqliteConnection {
  readonly dialect: Dialect = sqliteDialect;
  readonly #db: InstanceType<typeof DatabaseSync>;
  readonly #statements = new Map<Compiled, Prepared>();
  readonly #queries = new Map<string, Prepared>();
  /** Grows with every statement that may have changed something. */
  changes = 0;
  /** Grows with every text of SQL that was run as it is, and may have changed the schema. */
  executions = 0;
  onPrepare: ((sql: string) => void) | undefined;

  constructor(file: string, pragmas: Readonly<Record<string, string | number>>) {
    this.#db = translated(() => new DatabaseSync(file));
    const settings = { busy_timeout: BUSY_TIMEOUT_MS, foreign_keys: "on", ...pragmas };
    try {
      for (const [name, value] of Object.entries(settings))
        this.execute(`pragma ${name} = ${value}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  execute(sql: string): void {
    this.changes += 1;
    this.executions += 1;
    translated(() => this.#db.exec(sql));
  }

  /** A statement without values that is run again and again, such as `commit`. */
  command(sql: string): void {
    translated(() => this.#preparedQuery(sql).statement.run());
  }

  rows<R>(sql: string): R[] {
    return translated(() => this.#db.prepare(sql).all() as R[]);
  }

  get<P, R>(
    statement: AnyStatement<P, R>,
    parameters: P,
    workspaceId: string | null,
  ): R | undefined {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bindValues(compiled, parameters, workspaceId));
    return translated(() => {
      const prepared = this.#prepared(compiled);
      if (!prepared.isQuery) this.changes += 1;
      return firstRow<R>(prepared, values);
    });
  }

  all<P, R>(statement: AnyStatement<P, R>, parameters: P, workspaceId: string | null): R[] {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bindValues(compiled, parameters, workspaceId));
    return translated(() => {
      const { statement: prepared, flags, isQuery } = this.#prepared(compiled);
      if (!isQuery) this.changes += 1;
      const rows = prepared.all(...values) as Row[];
      if (flags.length > 0) for (const row of rows) readFlags(row, flags);
      return rows as R[];
    });
  }

  run<P>(statement: AnyStatement<P, unknown>, parameters: P, workspaceId: string | null): number {
    const compiled = statement.compiledFor(this.dialect);
    const values = encode(bindValues(compiled, parameters, workspaceId));
    return translated(() => {
      const changed = Number(this.#prepared(compiled).statement.run(...values).changes);
      this.changes += changed;
      return changed;
    });
  }

  select<R>(query: Query): R | undefined {
    const values = encode([...query.values]);
    return translated(() => firstRow<R>(this.#preparedQuery(query.sql), values));
  }

  close(): void {
    this.#db.close();
  }

  #prepared(compiled: Compiled): Prepared {
    const known = this.#statements.get(compiled);
    if (known !== undefined) return known;
    const fresh = this.#prepare(compiled.sql);
    this.#statements.set(compiled, fresh);
    return fresh;
  }

  #preparedQuery(sql: string): Prepared {
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
    const fresh = this.#prepare(sql);
    this.#queries.set(sql, fresh);
    return fresh;
  }

  #prepare(sql: string): Prepared {
    const text = orFail(withPlainLimits(sql));
    this.onPrepare?.(text);
    const statement = this.#db.prepare(text);
    const flags = statement.columns().filter(({ type }) => type === sqliteDialect.types.flag);
    return { statement, flags: flags.map(({ name }) => name), isQuery: /^\s*select/i.test(sql) };
  }
}

function firstRow<R>({ statement, flags }: Prepared, values: SqlValue[]): R | undefined {
  const row = statement.get(...values) as Row | undefined;
  if (row !== undefined) readFlags(row, flags);
  return row as R | undefined;
}

function readFlags(row: Row, flags: readonly string[]): void {
  for (const name of flags) if (row[name] !== null) row[name] = row[name] === 1;
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromSqliteError(error);
  }
}

/** Values as the driver takes them; the list is changed. */
export function encode(values: unknown[]): SqlValue[] {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (value === true) values[i] = 1;
    else if (value === false) values[i] = 0;
  }
  return values as SqlValue[];
}
