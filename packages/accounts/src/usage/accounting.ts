import type { Clock } from "@orchestrator/kernel/pure";
import { noQuotas, type Quotas } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import { auditedDatabase } from "../audit/audited-database.ts";
import { countedDatabase } from "./counted-database.ts";
import { QuotaKeeper } from "./quota-keeper.ts";
import type { QuotaSettings } from "./quota-settings.ts";
import { UsageCounts } from "./usage-counts.ts";

/** What is known of how much workspaces make and may make. */
export interface Accounting {
  readonly usage: UsageCounts;
  readonly quotas: QuotaKeeper;
}

const accountings = new WeakMap<Database, Accounting>();

/**
 * The database of a server with accounts: what is changed is noted with who changed it, and what is
 * made is counted.
 */
export function accountedDatabase(
  db: Database,
  { clock, settings }: { readonly clock: Clock; readonly settings: QuotaSettings },
): Database {
  const usage = new UsageCounts(clock);
  const accounted = auditedDatabase(countedDatabase(db, usage));
  accountings.set(accounted, { usage, quotas: new QuotaKeeper({ db, clock, usage, settings }) });
  return accounted;
}

/** What the workspaces of a database are held to; to nothing where it is not one of accounts. */
export const quotasOfDatabase = (db: Database): Quotas => accountingOf(db)?.quotas ?? noQuotas;

/** Null for a database that is not one of accounts. */
export const accountingOf = (db: Database): Accounting | null => accountings.get(db) ?? null;
