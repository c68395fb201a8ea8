// A statement is written once with typed placeholders, compiled once per engine, and then only
// bound. Building and compiling SQL per request costs more than running it.

import type { Compilable, Kysely } from "kysely";
import { ConstantsInText } from "./constants.ts";
import type { Dialect } from "./dialect.ts";

/**
 * The columns' values are not known yet when a statement is built; this stands in for one of them.
 */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Placeholders<P> = { readonly [K in keyof P]-?: P[K] };

/** A compiled statement: its text, and what to bind in which order. */
export interface Compiled {
  readonly sql: string;
  readonly slots: readonly unknown[];
}

declare const rowType: unique symbol;
declare const parameterType: unique symbol;

interface AnyStatement<P, R> {
  readonly [parameterType]?: (parameters: P) => void;
  readonly [rowType]?: R;
  readonly compiledFor: (dialect: Dialect) => Compiled;
}

/** Touches the rows of one workspace, which the connection it runs on supplies. */
export interface Statement<P, R> extends AnyStatement<P, R> {
  readonly scope: "workspace";
}

/** Touches what belongs to no workspace, or to all of them: leases, cursors, housekeeping. */
export interface SystemStatement<P, R> extends AnyStatement<P, R> {
  readonly scope: "system";
}

type Build<DB, P, Q> = (db: Kysely<DB>, p: Placeholders<P>, dialect: Dialect) => Q;
type RowOf<Q> = Q extends Compilable<infer R> ? R : never;
type InWorkspace<P> = P & { readonly workspace_id: string };

/**
 * The two ways to write statements over the tables of `DB`. A workspace statement gets the
 * placeholder `workspace_id`; its callers never pass it.
 */
export interface Statements<DB> {
  readonly statement: <P = unknown>() => <Q extends Compilable<unknown>>(
    build: Build<DB, InWorkspace<P>, Q>,
  ) => Statement<P, RowOf<Q>>;
  readonly systemStatement: <P = unknown>() => <Q extends Compilable<unknown>>(
    build: Build<DB, P, Q>,
  ) => SystemStatement<P, RowOf<Q>>;
}

export function statementsFor<DB>(): Statements<DB> {
  return {
    statement: () => (build) => ({
      scope: "workspace",
      compiledFor: compileOnce(build, assertScoped),
    }),
    systemStatement: () => (build) => ({ scope: "system", compiledFor: compileOnce(build) }),
  };
}

/** A statement that forgot its workspace would touch the rows of all of them. */
function assertScoped({ sql, slots }: Compiled): void {
  const isScoped = slots.some(
    (slot) => slot instanceof Placeholder && slot.name === "workspace_id",
  );
  if (!isScoped) throw new Error(`A workspace statement does not name its workspace: ${sql}`);
}

function compileOnce<DB, P>(
  build: Build<DB, P, Compilable<unknown>>,
  check: (compiled: Compiled) => void = () => {},
): (dialect: Dialect) => Compiled {
  const compiled = new Map<Dialect, Compiled>();
  return (dialect) => {
    const known = compiled.get(dialect);
    if (known !== undefined) return known;
    const placeholders = new Proxy({} as Placeholders<P>, {
      get: (_target, name) => new Placeholder(String(name)),
    });
    const builder = (dialect.builder as Kysely<DB>).withPlugin(new ConstantsInText());
    const query = build(builder, placeholders, dialect).compile();
    const fresh = { sql: query.sql, slots: query.parameters };
    check(fresh);
    compiled.set(dialect, fresh);
    return fresh;
  };
}

/** The values to send, in the order the SQL wants them. */
export function bindValues(
  compiled: Compiled,
  parameters: unknown,
  workspaceId: string | null,
): unknown[] {
  const { slots } = compiled;
  const values = new Array<unknown>(slots.length);
  for (let i = 0; i < slots.length; i += 1) {
    const slot = slots[i];
    if (!(slot instanceof Placeholder)) values[i] = slot;
    else if (slot.name === "workspace_id" && workspaceId !== null) values[i] = workspaceId;
    else values[i] = valueOf(parameters as Record<string, unknown>, slot.name);
  }
  return values;
}

/** A forgotten value is a mistake; one engine would take it for NULL. */
function valueOf(parameters: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = parameters[name];
  if (value === undefined) throw new Error(`The statement has no value for ${name}`);
  return value;
}

/**
 * SQL put together at run time from known pieces, such as a filtered list; in the engine's own
 * syntax.
 */
export interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The tables with very many rows that it may have to go through row by row. */
  readonly sweeps?: readonly string[];
  /** Fires when nobody is there any more to take the answer; asked for by who has to wait. */
  readonly gone?: (() => AbortSignal) | undefined;
  /**
   * It tells keys of rows and nothing else, for a query that looks at those rows: nothing has to
   * keep it from the rows of other workspaces.
   */
  readonly findsOnly?: true;
}
