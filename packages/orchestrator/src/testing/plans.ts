// How the database goes about statements, for tests that they read no more than they need.

import type { Database, Dialect } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { TestApi } from "./test-api.ts";

type Values = Readonly<Record<string, unknown>>;

interface AnyStatement {
  readonly compiledFor: (dialect: Dialect) => {
    readonly sql: string;
    readonly slots: readonly unknown[];
  };
}

/**
 * The plans of the statements that `ask` runs, in their order. They run as usual; SQLite is asked
 * as it is, PostgreSQL as if reading a whole table were never the cheapest, which it is in small
 * ones.
 */
export async function plansOf(
  { ctx }: TestApi,
  ask: (ctx: OrchestratorContext) => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  await ask({ ...ctx, db: recordingDatabase(ctx.db, asked) });
  const isPostgres = ctx.db.dialect.name === "postgres";
  return ctx.db.exclusively(async (session) => {
    if (isPostgres) await session.execute("set local enable_seqscan = off");
    const plans: string[] = [];
    for (const text of asked) {
      const rows = await session.rows<Values>(`explain ${isPostgres ? "" : "query plan "}${text}`);
      plans.push(rows.map((row) => String(row["detail"] ?? row["QUERY PLAN"])).join("\n"));
    }
    return plans;
  });
}

/** Whatever it hands out to run statements with notes the statements. */
function recordingDatabase(db: Database, asked: string[]): Database {
  const recording = <R extends object>(runner: R, workspaceId: string | null): R =>
    recordingRunner(runner, { dialect: db.dialect, workspaceId, asked });
  return {
    ...db,
    dialect: db.dialect,
    wakeUps: db.wakeUps,
    location: db.location,
    system: recording(db.system, null),
    in: (workspaceId) => recording(db.in(workspaceId), workspaceId),
    write: (workspaceId, work) => db.write(workspaceId, (tx) => work(recording(tx, workspaceId))),
    writeSystem: (work) => db.writeSystem((tx) => work(recording(tx, null))),
    exclusively: (work) => db.exclusively(work),
    ping: () => db.ping(),
    close: () => db.close(),
  };
}

interface Recording {
  readonly dialect: Dialect;
  readonly workspaceId: string | null;
  readonly asked: string[];
}

const RUNS_STATEMENT: ReadonlySet<string> = new Set(["get", "all", "run", "enqueue"]);

function recordingRunner<R extends object>(runner: R, recording: Recording): R {
  return new Proxy(runner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (first: unknown, second: unknown): unknown => {
        const answer: unknown = value.call(target, first, second);
        if (name === "inWorkspace") {
          const workspaceId = first as string;
          return recordingRunner(answer as object, { ...recording, workspaceId });
        }
        if (RUNS_STATEMENT.has(String(name)))
          recording.asked.push(statementText(recording, first as AnyStatement, second as Values));
        if (name === "select") recording.asked.push(queryText(first as Query));
        return answer;
      };
    },
  });
}

/** The statement with its values in it. */
function statementText(
  { dialect, workspaceId }: Recording,
  statement: AnyStatement,
  parameters: Values,
): string {
  const { sql, slots } = statement.compiledFor(dialect);
  const known: Values = { workspace_id: workspaceId, ...parameters };
  let next = 0;
  return sql.replaceAll(/\?|\$\d+/g, () => {
    const slot = slots[next++];
    const isPlace = typeof slot === "object" && slot !== null && "name" in slot;
    return literal(isPlace ? known[String(slot.name)] : slot);
  });
}

interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
}

function queryText({ sql, values }: Query): string {
  return sql.replaceAll(/[?$](\d+)/g, (_, n) => literal(values[Number(n) - 1]));
}

function literal(value: unknown): string {
  if (value === null || typeof value === "number" || typeof value === "boolean")
    return String(value);
  const text = Array.isArray(value) ? `{${value.join(",")}}` : (value as string);
  return `'${text.replaceAll("'", "''")}'`;
}
