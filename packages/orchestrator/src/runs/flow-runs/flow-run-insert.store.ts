import type { FlowRun, StateType } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import {
  type Dialect,
  type JsonText,
  type ReturnedRow,
  recordSql,
  type Statement,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import { FLOW_RUNS, type FlowRunRow } from "../../db/tables/flow-runs.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import { insertFlowRunState } from "../orchestration/flow-run-states.store.ts";

/** A run as it is at some moment. */
export const recordAt = (dialect: Dialect, now: string) =>
  recordSql(dialect, { fields: FLOW_RUNS.fields, table: "flow_runs", now }).as("json");

/**
 * The moment that a new run is looked at is the one it is made in. A round trip is saved where the
 * insert tells what became of the run; SQLite would copy what it changes to be able to do so, and
 * reads the row for next to nothing.
 */
const insert = statement<FlowRunRow>()((db, p, dialect) =>
  db
    .insertInto("flow_runs")
    .values(FLOW_RUNS.values(p))
    .onConflict((conflict) => conflict.doNothing())
    .$if(dialect.isRemote, (query) =>
      query.returning(["deployment_id", recordAt(dialect, p.created)]),
    ),
);

/** Fails where the run is there already. */
const insertNew = statement<FlowRunRow>()((db, p, dialect) =>
  db
    .insertInto("flow_runs")
    .values(FLOW_RUNS.values(p))
    .$if(dialect.isRemote, (query) =>
      query.returning(["deployment_id", recordAt(dialect, p.created)]),
    ),
);

const inserted = statement<{ id: string; created: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(["deployment_id", recordAt(dialect, p.created)])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/**
 * What of a deployment a run was prepared from, when that was not in the transaction of the run.
 */
export interface SeenDeployment {
  readonly updated: string;
  readonly work_queue_id: string | null;
}

/** Which version of its flow a run was prepared from. */
export interface SeenFlow {
  readonly flow_updated: string;
}

interface Seen {
  readonly seen_updated: string;
  readonly seen_queue_id: string | null;
}

/**
 * Holds the deployment as it was seen; who changes or deletes it finds the run, or is found to have
 * done so.
 */
const seenDeployment = (
  db: Kysely<Tables>,
  p: FlowRunRow & Seen & { readonly workspace_id: string },
  dialect: Dialect,
) =>
  db
    .selectFrom("deployments")
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "=", p.deployment_id)
    .where("deployments.updated", "=", p.seen_updated)
    .where("deployments.work_queue_id", "is not distinct from", p.seen_queue_id)
    .$if(dialect.locksRows, (query) => query.forShare());

const insertOfDeployment = statement<FlowRunRow & Seen>()((db, p, dialect) => {
  const deployment = seenDeployment(db, p, dialect).select("deployments.id");
  return db
    .insertInto("flow_runs")
    .values({ ...FLOW_RUNS.values(p), deployment_id: sql<string | null>`(${deployment})` })
    .onConflict((conflict) => conflict.doNothing())
    .$if(dialect.isRemote, (query) =>
      query.returning(["deployment_id", recordAt(dialect, p.created)]),
    );
});

/** Fails where the deployment is not as it was seen: a run has to have a flow. */
const insertOrFail = statement<FlowRunRow & Seen>()((db, p, dialect) => {
  const flow = seenDeployment(db, p, dialect).select("deployments.flow_id");
  return db
    .insertInto("flow_runs")
    .values({ ...FLOW_RUNS.values(p), flow_id: sql<string>`(${flow})` })
    .$if(dialect.isRemote, (query) =>
      query.returning(["deployment_id", recordAt(dialect, p.created)]),
    );
});

/** The same where the flow is not: it was changed or deleted. */
const insertOfFlow = statement<FlowRunRow & SeenFlow>()((db, p, dialect) => {
  const flow = db
    .selectFrom("flows")
    .select("flows.id")
    .where("flows.workspace_id", "=", p.workspace_id)
    .where("flows.id", "=", p.flow_id)
    .where("flows.updated", "=", p.flow_updated);
  return db
    .insertInto("flow_runs")
    .values({ ...FLOW_RUNS.values(p), flow_id: sql<string>`(${flow})` })
    .$if(dialect.isRemote, (query) =>
      query.returning(["deployment_id", recordAt(dialect, p.created)]),
    );
});

const takeBack = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("flow_runs").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

interface Inserted {
  readonly deployment_id: string | null;
  readonly json: JsonText<FlowRun>;
}

/** Of which the answer is all that `Inserted` says, or nothing at all. */
type Insert<P> = Statement<P, Partial<Inserted>>;

/**
 * The run as it will have been written, together with its first state; the write fails as
 * `isMissingValue` says when the deployment or the flow is not as it was seen any more.
 */
export function pipelineFlowRunRow(
  tx: Transaction,
  row: FlowRunRow,
  seen: SeenDeployment | SeenFlow | null,
): ReturnedRow<Inserted> {
  tx.added?.("runs", 1);
  if (seen === null) return ask(tx, insertNew, row);
  return "flow_updated" in seen
    ? ask(tx, insertOfFlow, { flow_updated: seen.flow_updated, ...row })
    : ask(tx, insertOrFail, withSeen(row, seen));
}

function ask<P extends FlowRunRow>(
  tx: Transaction,
  statement: Insert<P>,
  row: P,
): ReturnedRow<Inserted> {
  if (tx.dialect.isRemote) {
    const asked = tx.enqueueReturning(statement, row) as ReturnedRow<Inserted>;
    insertFirstState(tx, row);
    return asked;
  }
  tx.enqueue(statement, row);
  insertFirstState(tx, row);
  return tx.enqueueReturning(inserted, row);
}

async function get<P extends FlowRunRow>(
  tx: Transaction,
  statement: Insert<P>,
  row: P,
): Promise<Inserted | undefined> {
  if (tx.dialect.isRemote) return (await tx.get(statement, row)) as Inserted | undefined;
  return (await tx.run(statement, row)) === 0 ? undefined : tx.get(inserted, row);
}

/**
 * The run as it was written, and its first state with it; null when the idempotency key is taken.
 * Throws `unavailable` when the deployment is not as it was seen any more; nothing is left of the
 * run then, also where the transaction goes on.
 */
export async function insertFlowRunRow(
  tx: Transaction,
  row: FlowRunRow,
  seen: SeenDeployment | null,
): Promise<JsonText<FlowRun> | null> {
  const run =
    seen === null
      ? await get(tx, insert, row)
      : await get(tx, insertOfDeployment, withSeen(row, seen));
  if (run === undefined) return null;
  if (seen !== null && run.deployment_id === null) {
    await tx.run(takeBack, { id: row.id });
    throw new DeploymentChanged();
  }
  tx.added?.("runs", 1);
  insertFirstState(tx, row);
  return run.json;
}

/** A new run has a state. */
function insertFirstState(tx: Transaction, row: FlowRunRow): void {
  insertFlowRunState(tx, {
    id: row.state_id as string,
    flow_run_id: row.id,
    timestamp: row.state_timestamp as string,
    type: row.state_type as StateType,
    name: row.state_name as string,
    state: row.state as string,
  });
}

const withSeen = (row: FlowRunRow, seen: SeenDeployment): FlowRunRow & Seen => ({
  seen_updated: seen.updated,
  seen_queue_id: seen.work_queue_id,
  ...row,
});

/** The deployment was changed or deleted while a run of it was prepared: nothing is written. */
export class DeploymentChanged extends AppError {
  constructor() {
    super("unavailable", "The deployment is being changed, try again");
  }
}
