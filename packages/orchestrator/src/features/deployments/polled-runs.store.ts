import type { FlowRun } from "@orchestrator/contract";
import { arraySql, type Dialect, type JsonText, type Queries } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { FLOW_RUN_FIELDS } from "../flow-runs/flow-runs.table.ts";

const asRows = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => ({ id })));

const polled = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(["id", "status"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", (e) =>
      e
        .selectFrom(dialect.rowsFrom({ id: "id" }, p.ids).$castTo<{ id: string }>().as("listed"))
        .select("listed.id"),
    ),
);

/** Those among the deployments that exist. */
export function readPolledDeployments(
  queries: Queries,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly status: string }[]> {
  return queries.all(polled, { ids: asRows(ids) });
}

const nextOf = statement<{ ids: string; after: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.next_scheduled_start_time")
        .whereRef("flow_runs.deployment_id", "=", "deployments.id")
        .where("flow_runs.state_type", "=", sql.lit("SCHEDULED"))
        .where("flow_runs.next_scheduled_start_time", ">", p.after)
        .orderBy("flow_runs.next_scheduled_start_time")
        .limit(1)
        .as("time"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", (e) =>
      e
        .selectFrom(dialect.rowsFrom({ id: "id" }, p.ids).$castTo<{ id: string }>().as("listed"))
        .select("listed.id"),
    ),
);

/** The next time after `after` for which a run of these deployments is scheduled. */
export async function findNextTime(
  queries: Queries,
  { deployment_ids, after }: { readonly deployment_ids: readonly string[]; readonly after: string },
): Promise<string | null> {
  const rows = await queries.all(nextOf, { ids: asRows(deployment_ids), after });
  return rows.flatMap(({ time }) => (time === null ? [] : [time])).toSorted()[0] ?? null;
}

interface Poll {
  readonly deployment_ids: readonly string[];
  readonly before: string;
  readonly limit: number;
  readonly now: string;
}

/**
 * Runs that wait for somebody to take them, the most urgent first and the longest waiting first among equals. Those that
 * retry where they ran are taken.
 */
export async function readWaitingRuns(
  queries: Queries,
  { deployment_ids, before, limit, now }: Poll,
): Promise<JsonText<FlowRun[]>> {
  const { dialect } = queries;
  const values = [queries.workspaceId, now, dialect.list(deployment_ids), before, limit];
  const row = await queries.select<{ json: string }>({ sql: waitingSql(dialect), values });
  return row?.json ?? "[]";
}

const known = new Map<Dialect, string>();

function waitingSql(dialect: Dialect): string {
  const text = known.get(dialect) ?? writeWaitingSql(dialect);
  known.set(dialect, text);
  return text;
}

/** Which ones is decided before any of them is made into a record. */
function writeWaitingSql(dialect: Dialect): string {
  const [workspace, now, ids, before, limit] = [1, 2, 3, 4, 5].map(dialect.parameter);
  const record = dialect.recordJson(FLOW_RUN_FIELDS, "flow_runs").replaceAll(":now", now ?? "");
  const mine = dialect.isCommon(`waiting.workspace_id = ${workspace}`);
  const order = (table: string): string =>
    `order by ${table}.priority desc, ${table}.next_scheduled_start_time, ${table}.id`;
  return arraySql(
    dialect,
    `select ${record} as record from flow_runs where flow_runs.id in (` +
      `select waiting.id from flow_runs as waiting where ${mine} and ${dialect.isOneOf("waiting.deployment_id", "id", ids ?? "")} ` +
      `and waiting.state_type = 'SCHEDULED' and waiting.next_scheduled_start_time <= ${before} ` +
      "and (waiting.retry_type is null or waiting.retry_type <> 'in_process') " +
      `${order("waiting")} limit ${limit}) ${order("flow_runs")}`,
  );
}
