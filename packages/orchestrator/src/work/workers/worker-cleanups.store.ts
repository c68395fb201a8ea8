import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { WorkerCleanupRow } from "../../db/tables/worker-cleanups.table.ts";
import { statement } from "../../db/tables.ts";

const COLUMNS = [
  "id",
  "work_queue_id",
  "flow_run_id",
  "infrastructure_pid",
  "kind",
  "delivery_count",
  "reservation_token",
  "lease_expires_at",
] as const satisfies readonly (keyof WorkerCleanupRow)[];

export type WorkerCleanup = Pick<WorkerCleanupRow, (typeof COLUMNS)[number]>;

const abandoned = statement<{ flow_run_id: string; state_id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .innerJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
    .select(["work_queues.work_pool_id", "work_queues.id as work_queue_id"])
    .select("flow_runs.infrastructure_pid")
    .where("flow_runs.workspace_id", "=", p.workspace_id)
    .where("flow_runs.id", "=", p.flow_run_id)
    .where("flow_runs.state_id", "=", p.state_id)
    .where("flow_runs.infrastructure_pid", "is not", null),
);

/** Where the infrastructure of a run is, if it has any and is still in that state. */
export async function findInfrastructure(
  queries: Queries,
  run: { readonly flow_run_id: string; readonly state_id: string },
): Promise<Pick<WorkerCleanupRow, "work_pool_id" | "work_queue_id" | "infrastructure_pid"> | null> {
  const row = await queries.get(abandoned, run);
  if (row === undefined || row.infrastructure_pid === null) return null;
  return { ...row, infrastructure_pid: row.infrastructure_pid };
}

const insert = statement<WorkerCleanupRow>()((db, p) =>
  db
    .insertInto("worker_cleanups")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      created: p.created,
      work_pool_id: p.work_pool_id,
      work_queue_id: p.work_queue_id,
      flow_run_id: p.flow_run_id,
      infrastructure_pid: p.infrastructure_pid,
      kind: p.kind,
      delivery_count: p.delivery_count,
      reservation_token: p.reservation_token,
      lease_expires_at: p.lease_expires_at,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Once for what a run has left in a place, however often it is asked for. */
export async function insertCleanup(tx: Transaction, row: WorkerCleanupRow): Promise<void> {
  await tx.run(insert, row);
}

const removeOld = statement<{ poolId: string; before: string }>()((db, p) =>
  db
    .deleteFrom("worker_cleanups")
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("created", "<", p.before),
);

/** Forgets what no worker has taken for so long. */
export async function removeOldCleanups(
  tx: Transaction,
  old: { readonly poolId: string; readonly before: string },
): Promise<void> {
  await tx.run(removeOld, old);
}

interface Waiting {
  readonly poolId: string;
  readonly now: string;
  readonly limit: number;
}

const waiting = (isOfSomeQueues: boolean) =>
  statement<Waiting & { queues: string }>()((db, p, dialect) =>
    db
      .selectFrom("worker_cleanups")
      .select(COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where("work_pool_id", "=", p.poolId)
      .where((e) => e.or([e("lease_expires_at", "is", null), e("lease_expires_at", "<=", p.now)]))
      .$if(isOfSomeQueues, (query) =>
        query.where("work_queue_id", "in", (e) =>
          e
            .selectFrom(
              dialect.rowsFrom({ id: "id" }, p.queues).$castTo<{ id: string }>().as("served"),
            )
            .select("served.id"),
        ),
      )
      .orderBy("created")
      .orderBy("id")
      .limit(p.limit),
  );
const waitingInPool = waiting(false);
const waitingInQueues = waiting(true);

/** The oldest ones of a pool, or of some of its queues, that nobody answers for at the moment. */
export function findWaitingCleanups(
  queries: Queries,
  { queueIds, ...request }: Waiting & { readonly queueIds: ReadonlySet<string> | null },
): Promise<WorkerCleanup[]> {
  const queues = JSON.stringify(Array.from(queueIds ?? [], (id) => ({ id })));
  return queries.all(queueIds === null ? waitingInPool : waitingInQueues, { ...request, queues });
}

const byId = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("worker_cleanups")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends. */
export async function lockCleanup(tx: Transaction, id: string): Promise<WorkerCleanup | null> {
  return (await tx.get(byId, { id })) ?? null;
}

type Reservation = Pick<WorkerCleanupRow, "id" | "reservation_token" | "lease_expires_at">;

const lease = (adds: 0 | 1) =>
  statement<Reservation>()((db, p) =>
    db
      .updateTable("worker_cleanups")
      .set({
        reservation_token: p.reservation_token,
        lease_expires_at: p.lease_expires_at,
        delivery_count: sql`delivery_count + ${sql.lit(adds)}`,
      })
      .where("workspace_id", "=", p.workspace_id)
      .where("id", "=", p.id),
  );
const deliver = lease(1);
const change = lease(0);

/** Gives it to one more worker. */
export async function deliverCleanup(tx: Transaction, to: Reservation): Promise<void> {
  await tx.run(deliver, to);
}

export async function changeLease(tx: Transaction, to: Reservation): Promise<void> {
  await tx.run(change, to);
}

const deleteWorkerCleanupRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("worker_cleanups")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function removeCleanup(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteWorkerCleanupRow, { id });
}
