import type { Database, SystemTransaction, Transaction } from "@orchestrator/kernel";
import type { Amounts, UsageCounts } from "./usage-counts.ts";

type Kind = keyof Amounts;

interface AnyStatement {
  readonly compiledFor: (dialect: Database["dialect"]) => { readonly sql: string };
}

/** What a statement adds rows to, as far as it is counted; found out once for each. */
const kinds = new WeakMap<AnyStatement, Kind | null>();

function kindOf(statement: AnyStatement, dialect: Database["dialect"]): Kind | null {
  const known = kinds.get(statement);
  if (known !== undefined) return known;
  const { sql } = statement.compiledFor(dialect);
  const [, table] = /\binsert into "(flow_runs|events)"/.exec(sql) ?? [];
  const kind = table === undefined ? null : table === "events" ? "events" : "runs";
  kinds.set(statement, kind);
  return kind;
}

/**
 * The same database, where the runs and events that are added are counted: whoever adds them, a request or something
 * that acts by itself.
 */
export function countedDatabase(db: Database, usage: UsageCounts): Database {
  const counted = async <T>(write: (counts: Counts) => Promise<T>): Promise<T> => {
    const counts: Counts = new Map();
    const made = await write(counts);
    for (const [workspaceId, amounts] of counts) usage.add(workspaceId, amounts);
    return made;
  };
  return {
    ...db,
    write: (workspaceId, work) =>
      counted((counts) =>
        db.write(workspaceId, (tx) => {
          // A transaction may be tried again.
          counts.clear();
          return work(watched(tx, counts));
        }),
      ),
    writeSystem: (work) =>
      counted((counts) =>
        db.writeSystem((tx) => {
          counts.clear();
          return work(watchedSystem(tx, counts));
        }),
      ),
  };
}

type Counts = Map<string, Amounts>;
type Call = (statement: AnyStatement, parameters: unknown) => Promise<unknown>;

function watched(tx: Transaction, counts: Counts): Transaction {
  const { workspaceId, dialect } = tx;
  const add = (kind: Kind, rows: number): void => {
    const amounts = counts.get(workspaceId) ?? { runs: 0, events: 0 };
    amounts[kind] += rows;
    counts.set(workspaceId, amounts);
  };
  // Most statements add nothing that is counted, and go through without another promise.
  const watch =
    (call: Call, size: (answer: unknown) => number): Call =>
    (statement, parameters) => {
      const kind = kindOf(statement, dialect);
      const answered = call(statement, parameters);
      return kind === null ? answered : counted(kind, answered, size);
    };
  const counted = async (
    kind: Kind,
    answered: Promise<unknown>,
    size: (answer: unknown) => number,
  ): Promise<unknown> => {
    const answer = await answered;
    add(kind, size(answer));
    return answer;
  };
  const tell = tx.tell.bind(tx) as (statement: AnyStatement, parameters: unknown) => void;
  return Object.assign(tx, {
    get: watch(tx.get.bind(tx) as Call, (row) => (row === undefined ? 0 : 1)),
    all: watch(tx.all.bind(tx) as Call, (rows) => (rows as unknown[]).length),
    run: watch(tx.run.bind(tx) as Call, Number),
    // Nobody hears how many rows it was: one, or none where an event came twice.
    tell: (statement: AnyStatement, parameters: unknown) => {
      tell(statement, parameters);
      const kind = kindOf(statement, dialect);
      if (kind !== null) add(kind, 1);
    },
  }) as Transaction;
}

function watchedSystem(tx: SystemTransaction, counts: Counts): SystemTransaction {
  const inWorkspace = tx.inWorkspace.bind(tx);
  return Object.assign(tx, {
    inWorkspace: (workspaceId: string) => watched(inWorkspace(workspaceId), counts),
  });
}
