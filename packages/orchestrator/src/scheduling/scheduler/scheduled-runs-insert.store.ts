// The runs of schedules, very many at once: an hour of a thousand minutely schedules is made in one
// go. A remote engine gets them in one round trip, as JSON; the one in this process has no round
// trips to save, and takes each as it is.

import { pick, type Transaction } from "@orchestrator/kernel/storage";
import { type Insertable, sql } from "kysely";
import {
  FLOW_RUNS,
  type FlowRunRow,
  type FlowRunStateRow,
} from "../../db/tables/flow-runs.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import { insertFlowRunStates } from "../../runs/orchestration/flow-run-states.store.ts";

/** What all runs of a schedule have in common. */
const ORIGIN = [
  "created_by_id",
  "created",
  "flow_id",
  "deployment_id",
  "deployment_version",
  "work_queue_id",
  "parameters",
  "context",
  "empirical_policy",
  "tags",
  "labels",
  "infrastructure_document_id",
  "created_by",
  "created_by_type",
  "job_variables",
] as const;
const ORIGIN_KINDS = pick(FLOW_RUNS.kinds, ORIGIN);

/** What is a run's own; `at` is when it is to start. */
const OWN = ["id", "name", "idempotency_key", "state_id", "concurrency_key"] as const;
const RUN_KINDS = { ...pick(FLOW_RUNS.kinds, [...OWN, "created_by_id"]), at: "time" } as const;

type OriginColumn = (typeof ORIGIN)[number];
export type Origin = Pick<FlowRunRow, OriginColumn>;
export interface ScheduledRun
  extends Pick<FlowRunRow, "id" | "name" | "idempotency_key" | "concurrency_key"> {
  readonly state_id: string;
  readonly state: string;
  readonly at: string;
}

/** Runs of one schedule. */
export interface ScheduledRuns {
  readonly origin: Origin;
  readonly runs: readonly ScheduledRun[];
}

type Source = OriginColumn | keyof ScheduledRun | "workspace_id";

const RENAMED = {
  updated: "created",
  state_timestamp: "created",
  expected_start_time: "at",
  next_scheduled_start_time: "at",
  effective_start_time: "at",
} as const satisfies Partial<Record<keyof FlowRunRow, Source>>;

/** Where the columns of a run come from. */
const COLUMNS: Readonly<Record<string, Source>> = {
  ...Object.fromEntries(
    ["workspace_id" as const, ...OWN, "state" as const, ...ORIGIN].map((name) => [name, name]),
  ),
  ...RENAMED,
};

/** What is the same in all of them. */
const NEW = {
  state_type: sql.lit("SCHEDULED"),
  state_name: sql.lit("Scheduled"),
  run_count: sql.lit(0),
  total_run_time: sql.lit(0),
  auto_scheduled: sql.lit(true),
};

const insertRun = statement<Origin & ScheduledRun>()((db, p) => {
  const given = Object.entries(COLUMNS).map(([column, source]) => [column, p[source]]);
  const row = { ...Object.fromEntries(given), ...NEW } as Insertable<Tables["flow_runs"]>;
  return db
    .insertInto("flow_runs")
    .values(row)
    .onConflict((conflict) => conflict.doNothing());
});

interface AsJson {
  readonly origins: string;
  readonly runs: string;
  readonly states: string;
}

const insertFromJson = statement<AsJson>()((db, p, dialect) => {
  const origin = dialect.rowsFrom(ORIGIN_KINDS, p.origins);
  const run = dialect.rowsFrom(RUN_KINDS, p.runs, { state: p.states });
  const valueOf = (source: Source) => {
    if (source === "workspace_id")
      return sql`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`;
    return sql.ref(`${source in ORIGIN_KINDS ? "origin" : "run"}.${source}`);
  };
  const given = Object.entries(COLUMNS).map(([column, source]) => valueOf(source).as(column));
  const same = Object.entries(NEW).map(([column, value]) => sql`${value}`.as(column));
  return (
    db
      // Both are read once, and not one for each row of the other.
      .with(
        (name) => name("origin").materialized(),
        (e) => e.selectFrom(origin.$castTo<Origin>().as("given")).selectAll(),
      )
      .with(
        (name) => name("run").materialized(),
        (e) =>
          e
            .selectFrom(run.$castTo<ScheduledRun & Pick<Origin, "created_by_id">>().as("given"))
            .selectAll(),
      )
      .insertInto("flow_runs")
      .columns(Object.keys({ ...COLUMNS, ...NEW }) as (keyof Tables["flow_runs"])[])
      .expression((e) =>
        e
          .selectFrom("run")
          .innerJoin("origin", "origin.created_by_id", "run.created_by_id")
          .select([...given, ...same]),
      )
      .onConflict((conflict) => conflict.doNothing())
  );
});

const insertStatesFromJson = statement<Omit<AsJson, "origins"> & { timestamp: string }>()(
  (db, p, dialect) =>
    db
      .insertInto("flow_run_states")
      .columns(["id", "workspace_id", "flow_run_id", "timestamp", "type", "name", "state"])
      .expression((e) =>
        e
          .selectFrom(
            dialect
              .rowsFrom(RUN_KINDS, p.runs, { state: p.states })
              .$castTo<ScheduledRun>()
              .as("run"),
          )
          .select((row) => [
            "run.state_id",
            row
              .cast<string>(row.val(p.workspace_id), dialect.types.id as "text")
              .as("workspace_id"),
            "run.id as flow_run_id",
            row.cast<string>(row.val(p.timestamp), "text").as("timestamp"),
            NEW.state_type.as("type"),
            NEW.state_name.as("name"),
            "run.state",
          ])
          .where((row) =>
            row.exists(
              row
                .selectFrom("flow_runs")
                .select("flow_runs.id")
                .whereRef("flow_runs.id", "=", "run.id"),
            ),
          ),
      ),
);

/** Times that have a run already are left out; tells how many were new. */
export async function insertScheduledRuns(
  tx: Transaction,
  schedules: readonly ScheduledRuns[],
): Promise<number> {
  if (schedules.length === 0) return 0;
  const insert = tx.dialect.isRemote ? insertTogether : insertEach;
  const count = await insert(tx, schedules);
  tx.added?.("runs", count);
  return count;
}

async function insertTogether(
  tx: Transaction,
  schedules: readonly ScheduledRuns[],
): Promise<number> {
  const origins = schedules.map(({ origin }) => originText(origin));
  const runs = schedules.flatMap(({ origin: { created_by_id }, runs: own }) =>
    own.map(({ id, name, idempotency_key, state_id, concurrency_key, at }) => ({
      id,
      created_by_id,
      name,
      idempotency_key,
      state_id,
      concurrency_key,
      at,
    })),
  );
  const states = schedules.flatMap(({ runs: own }) => own.map(({ state }) => state));
  const texts = { runs: JSON.stringify(runs), states: `[${states.join(",")}]` };
  const count = await tx.run(insertFromJson, { origins: `[${origins.join(",")}]`, ...texts });
  const [first] = schedules;
  if (count > 0 && first !== undefined)
    await tx.run(insertStatesFromJson, { timestamp: first.origin.created, ...texts });
  return count;
}

/** What is JSON in the row already goes in as it is. */
function originText(origin: Origin): string {
  const fields = Object.entries(ORIGIN_KINDS).map(([name, kind]) => {
    const value = origin[name as OriginColumn];
    return `"${name}":${kind === "json" || kind === "tags" ? value : JSON.stringify(value)}`;
  });
  return `{${fields.join(",")}}`;
}

/**
 * By time, as most indexes are: what is written next then goes where the last was, and not to
 * another page of each of them.
 */
async function insertEach(tx: Transaction, schedules: readonly ScheduledRuns[]): Promise<number> {
  const planned = schedules.flatMap(({ origin, runs }) => runs.map((run) => ({ origin, run })));
  planned.sort((a, b) => (a.run.at < b.run.at ? -1 : Number(a.run.at > b.run.at)));
  const states: FlowRunStateRow[] = [];
  for (const { origin, run } of planned) {
    const isNew = (await tx.run(insertRun, rowOf(run, origin))) === 1;
    if (isNew) states.push(stateOf(run, origin));
  }
  insertFlowRunStates(tx, states);
  return states.length;
}

/** Key by key: to spread two objects into one took a twelfth of all that a run costs. */
const rowOf = (run: ScheduledRun, origin: Origin): ScheduledRun & Origin => ({
  id: run.id,
  name: run.name,
  idempotency_key: run.idempotency_key,
  state_id: run.state_id,
  concurrency_key: run.concurrency_key,
  state: run.state,
  at: run.at,
  created_by_id: origin.created_by_id,
  created: origin.created,
  flow_id: origin.flow_id,
  deployment_id: origin.deployment_id,
  deployment_version: origin.deployment_version,
  work_queue_id: origin.work_queue_id,
  parameters: origin.parameters,
  context: origin.context,
  empirical_policy: origin.empirical_policy,
  tags: origin.tags,
  labels: origin.labels,
  infrastructure_document_id: origin.infrastructure_document_id,
  created_by: origin.created_by,
  created_by_type: origin.created_by_type,
  job_variables: origin.job_variables,
});

const stateOf = ({ id, state_id, state }: ScheduledRun, { created }: Origin): FlowRunStateRow => ({
  id: state_id,
  flow_run_id: id,
  timestamp: created,
  type: "SCHEDULED",
  name: "Scheduled",
  state,
});
