// After a gap in the server's hearing, every stored deadline of somebody else falls later by its
// length.

import type { DeadlineExtension } from "@orchestrator/kernel/loops";
import type { Dialect, SystemTransaction } from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { systemStatement } from "../db/tables.ts";
import { lockAutomationCatalog } from "./automations/triggers/triggers.store.ts";

/** What falls later is as good as never, and no time that could be written. */
const FAR_AWAY = "9000-01-01T00:00:00.000000Z";

const later = (dialect: Dialect, column: string, seconds: number): RawBuilder<string> =>
  dialect.plusSeconds(sql.ref(column), seconds);

/** Claimed, paused, cancelled and running runs that somebody is to be heard of. */
const extendRuns = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("flow_runs")
    .set({ deadline: later(dialect, "deadline", p.seconds) })
    .where("deadline", ">", p.began)
    .where("deadline", "<", FAR_AWAY),
);

/** Slots whose holders are to renew them. */
const extendLeases = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("concurrency_leases")
    .set({ expires: later(dialect, "expires", p.seconds) })
    .where("expires", ">", p.began)
    .where("expires", "<", FAR_AWAY),
);

/** Background runs that somebody was given and is to take. */
const extendOffers = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("background_task_offers")
    .set({ expires: later(dialect, "expires", p.seconds) })
    .where("expires", ">", p.began),
);

/** Infrastructure that a worker is to report as taken down. */
const extendCleanups = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("worker_cleanups")
    .set({ lease_expires_at: later(dialect, "lease_expires_at", p.seconds) })
    .where("lease_expires_at", ">", p.began),
);

/**
 * Windows in which events are expected; only those are due when they end. An empty one is no window
 * and stays empty.
 */
const extendWindows = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("automation_buckets")
    .set({
      starts: sql<string>`case when starts = ends then ${later(dialect, "starts", p.seconds)} else starts end`,
      ends: later(dialect, "ends", p.seconds),
      due: later(dialect, "due", p.seconds),
    })
    .where("due", ">", p.began)
    .where("due", "<", FAR_AWAY)
    .whereRef("due", "=", "ends"),
);

/** Waits for events that could not arrive. */
const extendWaits = systemStatement<DeadlineExtension>()((db, p, dialect) =>
  db
    .updateTable("flow_run_waits")
    .set({ expires: later(dialect, "expires", p.seconds) })
    .where("lookup_name", "is not", null)
    .where("expires", ">", p.began)
    .where("expires", "<", FAR_AWAY),
);

const EXTENSIONS = [
  extendRuns,
  extendLeases,
  extendOffers,
  extendCleanups,
  extendWindows,
  extendWaits,
];

export async function extendDeadlines(
  tx: SystemTransaction,
  extension: DeadlineExtension,
): Promise<void> {
  // An evaluation under way would write its windows over those that are moved here.
  await lockAutomationCatalog(tx);
  for (const statement of EXTENSIONS) await tx.run(statement, extension);
}
