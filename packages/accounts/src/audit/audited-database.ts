import type {
  Database,
  ReturnedRow,
  SystemTransaction,
  Transaction,
} from "@orchestrator/kernel/storage";
import type { AuditRow } from "../db/tables.ts";
import { insertAuditRow, insertAuditRowHere } from "./audit.store.ts";
import { openEntry, type PendingEntry } from "./audit-context.ts";

/**
 * The same database, where the first transaction of a request that is to be audited also stores its
 * entry: a change and the word of who made it are committed together or not at all.
 */
export function auditedDatabase(db: Database): Database {
  return {
    ...db,
    write(workspaceId, work) {
      const entry = openEntry();
      if (entry === null) return db.write(workspaceId, work);
      return claimed(entry, () =>
        db.write(workspaceId, async (tx) => {
          watch(tx, entry);
          const made = await work(tx);
          insertAuditRowHere(tx, finished(entry, made));
          return made;
        }),
      );
    },
    writeSystem(work) {
      const entry = openEntry();
      if (entry === null) return db.writeSystem(work);
      return claimed(entry, () =>
        db.writeSystem(async (tx) => {
          watch(tx, entry);
          const made = await work(tx);
          insertAuditRow(tx, finished(entry, made));
          return made;
        }),
      );
    },
  };
}

/** Another transaction of the same request does not wait for this one: it goes without an entry. */
async function claimed<T>(entry: PendingEntry, write: () => Promise<T>): Promise<T> {
  entry.state = "claimed";
  try {
    const made = await write();
    if (entry.state === "claimed") entry.state = "stored";
    return made;
  } catch (error) {
    if (entry.state === "claimed") entry.state = "open";
    throw error;
  }
}

interface Made {
  readonly id?: unknown;
  readonly created?: unknown;
  readonly created_at?: unknown;
}

/**
 * Notes the id of the first record that is inserted: it is made up before, and few transactions
 * return it.
 */
function watch(tx: Transaction | SystemTransaction, entry: PendingEntry): void {
  // A transaction may be tried again.
  entry.createdId = null;
  const note = (rows: number, parameters: unknown): void => {
    if (rows === 1) entry.createdId ??= newId(parameters as Made);
  };
  const run = tx.run.bind(tx) as Call<number>;
  const get = tx.get.bind(tx) as Call<unknown>;
  const enqueueReturning = tx.enqueueReturning.bind(tx) as (
    statement: unknown,
    parameters: unknown,
  ) => ReturnedRow<unknown>;
  Object.assign(tx, {
    // It adds its row, or the write fails.
    enqueueReturning(statement: unknown, parameters: unknown) {
      note(1, parameters);
      return enqueueReturning(statement, parameters);
    },
    async run(statement: unknown, parameters: unknown) {
      const rows = await run(statement, parameters);
      note(rows, parameters);
      return rows;
    },
    async get(statement: unknown, parameters: unknown) {
      const row = await get(statement, parameters);
      note(row === undefined ? 0 : 1, parameters);
      return row;
    },
  });
}

type Call<T> = (statement: unknown, parameters: unknown) => Promise<T>;

const newId = ({ id, created, created_at: at }: Made): string | null =>
  typeof id === "string" && typeof (created ?? at) === "string" ? id : null;

/**
 * A change has been made by then; the answer comes later, and is noted apart should it turn out
 * otherwise.
 */
function finished(entry: PendingEntry, made: unknown): AuditRow {
  const { row, createdId, mayCreate } = entry;
  if (!mayCreate) return row;
  const { id } = (typeof made === "object" && made !== null ? made : {}) as Made;
  const known = typeof id === "string" ? id : createdId;
  entry.createdId = known;
  return { ...row, resource_id: known ?? row.resource_id };
}
