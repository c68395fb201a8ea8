import type {
  ConfirmedVersion,
  CountedKind,
  Database,
  Dialect,
  LockedRow,
  Queries,
  Query,
  ReturnedRow,
  RowTexts,
  Statement,
  SystemStatement,
  SystemTransaction,
  Transaction,
} from "@orchestrator/kernel/storage";
import type { Amounts, UsageCounts } from "./usage-counts.ts";

/**
 * The same database, where the runs and events that stores tell of are counted once they are
 * committed: whoever adds them, a request or something that acts by itself.
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
          return work(new CountedTransaction(tx, counts));
        }),
      ),
    writeSystem: (work) =>
      counted((counts) =>
        db.writeSystem((tx) => {
          counts.clear();
          return work(new CountedSystemTransaction(tx, counts));
        }),
      ),
  };
}

type Counts = Map<string, Amounts>;

/** Hands everything on, and hears of what is added. */
class CountedTransaction implements Transaction {
  readonly workspaceId: string;
  readonly dialect: Dialect;
  readonly #tx: Transaction;
  readonly #counts: Counts;

  constructor(tx: Transaction, counts: Counts) {
    this.workspaceId = tx.workspaceId;
    this.dialect = tx.dialect;
    this.#tx = tx;
    this.#counts = counts;
  }

  added(kind: CountedKind, rows: number): void {
    const amounts = this.#counts.get(this.workspaceId) ?? { runs: 0, events: 0 };
    amounts[kind] += rows;
    this.#counts.set(this.workspaceId, amounts);
  }

  get<P, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    return this.#tx.get(statement, parameters);
  }

  all<P, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    return this.#tx.all(statement, parameters);
  }

  select<R>(query: Query): Promise<R | undefined> {
    return this.#tx.select(query);
  }

  get committed(): Queries {
    return this.#tx.committed;
  }

  lockRow<P, R>(row: LockedRow<P, R>, parameters: P): Promise<R | undefined> {
    return this.#tx.lockRow(row, parameters);
  }

  updateLocked<P>(
    held: object,
    statement: Statement<P & ConfirmedVersion, unknown>,
    parameters: P,
  ): void {
    this.#tx.updateLocked(held, statement, parameters);
  }

  run<P>(statement: Statement<P, unknown>, parameters: P): Promise<number> {
    return this.#tx.run(statement, parameters);
  }

  enqueue<P>(statement: Statement<P, unknown>, parameters: P): void {
    this.#tx.enqueue(statement, parameters);
  }

  enqueueRows<P extends RowTexts<P>>(statement: Statement<P, unknown>, rows: P): void {
    this.#tx.enqueueRows(statement, rows);
  }

  enqueueReturning<P, R>(statement: Statement<P, R>, parameters: P): ReturnedRow<R> {
    return this.#tx.enqueueReturning(statement, parameters);
  }

  notify(topic: string): void {
    this.#tx.notify(topic);
  }
}

/** What belongs to no workspace is not counted. */
class CountedSystemTransaction implements SystemTransaction {
  readonly dialect: Dialect;
  readonly #tx: SystemTransaction;
  readonly #counts: Counts;

  constructor(tx: SystemTransaction, counts: Counts) {
    this.dialect = tx.dialect;
    this.#tx = tx;
    this.#counts = counts;
  }

  inWorkspace(workspaceId: string): Transaction {
    return new CountedTransaction(this.#tx.inWorkspace(workspaceId), this.#counts);
  }

  get<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R | undefined> {
    return this.#tx.get(statement, parameters);
  }

  all<P, R>(statement: SystemStatement<P, R>, parameters: P): Promise<R[]> {
    return this.#tx.all(statement, parameters);
  }

  run<P>(statement: SystemStatement<P, unknown>, parameters: P): Promise<number> {
    return this.#tx.run(statement, parameters);
  }

  enqueue<P>(statement: SystemStatement<P, unknown>, parameters: P): void {
    this.#tx.enqueue(statement, parameters);
  }

  enqueueReturning<P, R>(statement: SystemStatement<P, R>, parameters: P): ReturnedRow<R> {
    return this.#tx.enqueueReturning(statement, parameters);
  }

  notify(topic: string): void {
    this.#tx.notify(topic);
  }
}
