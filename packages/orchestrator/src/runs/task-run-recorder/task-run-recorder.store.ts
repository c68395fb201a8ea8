import {
  type Database,
  idRows,
  listedIds,
  pick,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { TASK_RUNS, type TaskRunRow } from "../../db/tables/task-runs.table.ts";
import type { WaitingTaskRunEventRow } from "../../db/tables/waiting-events.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

/** The name under which the recorder reads the log. */
export const TASK_RUN_RECORDER = "task-run-recorder";

const IDENTITY = ["id", "created", "flow_run_id", "task_key", "dynamic_key"] as const;
const STATE = [
  "updated",
  "state_id",
  "state_type",
  "state_name",
  "state_timestamp",
  "state",
] as const;
type Reported = Exclude<keyof TaskRunRow, (typeof IDENTITY | typeof STATE)[number]>;
const REPORTED = TASK_RUNS.columns.filter(
  (name): name is Reported => ![...IDENTITY, ...STATE].some((other) => other === name),
);

/**
 * What a report changes: the state, and of the rest what it says something about. Null says
 * nothing.
 */
export type ReportedChange = Pick<TaskRunRow, "id" | (typeof STATE)[number]> & {
  readonly state_timestamp: string;
} & { readonly [Column in Reported]: TaskRunRow[Column] | null };

const update = statement<ReportedChange>()((db, p) =>
  db
    .updateTable("task_runs")
    .set({
      ...pick(p, STATE),
      ...Object.fromEntries(
        REPORTED.map((name) => [name, sql`coalesce(${p[name]}, ${sql.ref(name)})`]),
      ),
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where((e) =>
      e.or([e("state_timestamp", "is", null), e("state_timestamp", "<", p.state_timestamp)]),
    ),
);

/** Tells whether the report was newer than what is known. */
export async function updateReportedTaskRun(
  tx: Transaction,
  change: ReportedChange,
): Promise<boolean> {
  return (await tx.run(update, change)) === 1;
}

/** Which task of which flow run a task run is of. */
export type TaskRunPlace = Pick<TaskRunRow, "flow_run_id" | "task_key" | "dynamic_key">;

const selectPlace = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("task_runs")
    .select(["flow_run_id", "task_key", "dynamic_key"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findPlace(tx: Transaction, id: string): Promise<TaskRunPlace | null> {
  return (await tx.get(selectPlace, { id })) ?? null;
}

const updatePlace = statement<TaskRunPlace & { id: string }>()((db, p) =>
  db
    .updateTable("task_runs")
    .set({ flow_run_id: p.flow_run_id, task_key: p.task_key, dynamic_key: p.dynamic_key })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Beside the change itself, which is written often and touches no index of these. */
export async function moveTaskRun(
  tx: Transaction,
  place: TaskRunPlace & { readonly id: string },
): Promise<void> {
  await tx.run(updatePlace, place);
}

const selectFlowRun = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function hasFlowRun(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.get(selectFlowRun, { id })) !== undefined;
}

interface Alive {
  readonly id: string;
  readonly silence_seconds: number;
  readonly deadline: string;
}

const extendDeadline = statement<Alive>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ deadline: p.deadline, silence_seconds: p.silence_seconds })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("state_type", "=", sql.lit("RUNNING"))
    .where((e) => e.or([e("deadline", "is", null), e("deadline", "<", p.deadline)])),
);

const notePromise = statement<Pick<Alive, "id" | "silence_seconds">>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ silence_seconds: p.silence_seconds })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("end_time", "is", null)
    .where((e) =>
      e.or([e("silence_seconds", "is", null), e("silence_seconds", "<>", p.silence_seconds)]),
    ),
);

/**
 * A flow run that was heard may stay silent for so many seconds whenever it runs, and until
 * `deadline` when it runs now.
 */
export async function extendSilenceDeadline(tx: Transaction, run: Alive): Promise<void> {
  if ((await tx.run(extendDeadline, run)) === 1) return;
  await tx.run(notePromise, { id: run.id, silence_seconds: run.silence_seconds });
}

const insertWaiting = statement<WaitingTaskRunEventRow>()((db, p) =>
  db
    .insertInto("waiting_task_run_events")
    .values({
      workspace_id: p.workspace_id,
      event_id: p.event_id,
      flow_run_id: p.flow_run_id,
      body: p.body,
      due: p.due,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export async function storeWaitingEvent(
  tx: Transaction,
  row: WaitingTaskRunEventRow,
): Promise<void> {
  await tx.run(insertWaiting, row);
}

const callWaiting = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .updateTable("waiting_task_run_events")
    .set({ due: "" })
    .where("due", "<>", "")
    .where("flow_run_id", "in", listedIds(dialect, p.ids))
    .where((e) =>
      e.exists(
        e
          .selectFrom("flow_runs")
          .select("flow_runs.id")
          .whereRef("flow_runs.id", "=", "waiting_task_run_events.flow_run_id")
          .whereRef("flow_runs.workspace_id", "=", "waiting_task_run_events.workspace_id"),
      ),
    ),
);

/** What waits for one of these flow runs is due, if the run is there. */
export async function callWaitingFor(
  tx: SystemTransaction,
  flowRunIds: ReadonlySet<string>,
): Promise<void> {
  if (flowRunIds.size === 0) return;
  await tx.run(callWaiting, { ids: idRows(flowRunIds) });
}

const selectReady = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("waiting_task_run_events as waiting")
    .leftJoin("flow_runs as run", (join) =>
      join
        .onRef("run.id", "=", "waiting.flow_run_id")
        .onRef("run.workspace_id", "=", "waiting.workspace_id"),
    )
    .select(["waiting.workspace_id", "waiting.event_id", "waiting.flow_run_id", "waiting.body"])
    .select((e) => e("run.id", "is not", null).$castTo<boolean | number>().as("has_run"))
    .where("waiting.due", "<=", p.now)
    .orderBy("waiting.due")
    .limit(p.limit),
);

export interface ReadyEvent {
  readonly workspace_id: string;
  readonly event_id: string;
  readonly flow_run_id: string;
  readonly body: string;
  readonly has_run: boolean | number;
}

/** Events whose flow run has come, or that have waited long enough. */
export async function findReady(
  db: Database,
  look: { readonly now: string; readonly limit: number },
): Promise<ReadyEvent[]> {
  return db.system.all(selectReady, look);
}

const deleteWaiting = systemStatement<{ workspace_id: string; event_id: string }>()((db, p) =>
  db
    .deleteFrom("waiting_task_run_events")
    .where("workspace_id", "=", p.workspace_id)
    .where("event_id", "=", p.event_id),
);

/** Tells whether it was still waiting. */
export async function takeWaiting(
  tx: SystemTransaction,
  { workspace_id, event_id }: ReadyEvent,
): Promise<boolean> {
  return (await tx.run(deleteWaiting, { workspace_id, event_id })) === 1;
}
