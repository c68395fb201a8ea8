import type { Backfill, BackfillCreate, BackfillSchedule, Schedule } from "@orchestrator/contract";
import { type JsonMap, readJson, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { BackfillRow } from "../../db/tables/backfills.table.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { MAX_PARAMETERS_BYTES, parametersTooLarge } from "../../parameters/merge.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { findDeploymentRow, lockDeployment } from "../../runs/deployment/deployments.store.ts";
import {
  hydrated,
  parametersOfRun,
  refuseLargeParameters,
} from "../../runs/deployment/parameter-checks.service.ts";
import { readSchedules } from "../schedules/schedules.store.ts";
import type { BackfillPlan } from "../times/backfill-times.rules.ts";
import { computeCountOfPlan, computeTimesOfPlan } from "../times/compute-schedules.ts";
import { calendarOf } from "../times/schedules.rules.ts";
import { BACKFILL_TOPIC, publishBackfillEvent, readBackfill } from "./backfills.service.ts";
import { findBackfillByKey, insertBackfill } from "./backfills.store.ts";

const MOST_TIMES = 10_000;
/** Beyond this nobody needs to know how many there would be. */
const MOST_COUNTED = 100_000;
const DEFAULT_CONCURRENT = 10;
const EARLIEST = "1900-01-01T00:00:00.000000Z";

export interface CreatedBackfill {
  readonly json: JsonText<Backfill>;
  /** False when the deployment had a backfill with the same idempotency key. */
  readonly isNew: boolean;
}

/**
 * Plans a run for each time of a range. What would not work is refused here, so that no run is made
 * of half of it.
 */
export async function createBackfill(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: BackfillCreate },
): Promise<CreatedBackfill> {
  const queries = ctx.db.in(scope.workspaceId);
  const deployment = await findDeploymentRow(queries, id);
  if (deployment === null) throw deploymentNotFound({ id });
  const known = await findKnown(queries, id, body);
  if (known !== null) return { json: known, isNew: false };
  const row = await newRow(ctx, scope, { deployment, body });
  return ctx.db.write(scope.workspaceId, async (tx) => {
    if ((await lockDeployment(tx, { id })) === null) throw deploymentNotFound({ id });
    if (!(await insertBackfill(tx, row))) {
      const other = await findKnown(tx, id, body);
      if (other !== null) return { json: other, isNew: false };
    }
    await publishBackfillEvent(ctx, tx, { verb: "created", row, now: row.created });
    tx.notify(BACKFILL_TOPIC);
    return { json: await readBackfill(tx, row.id), isNew: true };
  });
}

async function findKnown(
  queries: Queries,
  deployment_id: string,
  { idempotency_key }: BackfillCreate,
): Promise<JsonText<Backfill> | null> {
  return idempotency_key == null
    ? null
    : findBackfillByKey(queries, { deployment_id, idempotency_key });
}

async function newRow(
  ctx: OrchestratorContext,
  scope: Scope,
  { deployment, body }: { readonly deployment: DeploymentRow; readonly body: BackfillCreate },
): Promise<BackfillRow> {
  const nowMicros = ctx.clock.nowMicros();
  const now = formatMicros(nowMicros);
  const { start } = body;
  const end = body.end ?? now;
  refuseRange({ start, end, now });
  const schedules = await chosenSchedules(
    ctx.db.in(scope.workspaceId),
    deployment.id,
    body.schedule_id ?? null,
  );
  const order = body.order ?? "oldest-first";
  const plan: BackfillPlan = {
    schedules: schedules.map(({ schedule }) => calendarOf(schedule)),
    start: parseMicros(start),
    end: parseMicros(end),
    order,
  };
  const compute = ctx.compute.for(scope);
  const total = await computeCountOfPlan(compute, { plan, most: MOST_COUNTED });
  refuseTotal(total);
  const [first] = await computeTimesOfPlan(compute, { plan, at: null, count: 1 });
  return {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    deployment_id: deployment.id,
    status: "RUNNING",
    start,
    end,
    schedule_id: body.schedule_id ?? null,
    schedules: writeJson(schedules),
    parameters: writeJson(await checkedParameters(ctx, scope, { deployment, schedules, body })),
    max_concurrent: body.max_concurrent ?? DEFAULT_CONCURRENT,
    order,
    skip_existing: body.skip_existing ?? false,
    idempotency_key: body.idempotency_key ?? null,
    total,
    created_runs: 0,
    skipped: 0,
    next_time: first === undefined ? null : formatMicros(first.date),
    next_schedule: first?.schedule ?? 0,
    due: now,
  };
}

function refuseRange({
  start,
  end,
  now,
}: {
  readonly start: string;
  readonly end: string;
  readonly now: string;
}): void {
  if (start < EARLIEST) throw invalid("start", `a backfill begins ${EARLIEST} at the earliest`);
  if (end > now) throw invalid("end", `times after now (${now}) are left to the scheduler`);
  if (start > end) throw invalid("start", "the range begins after its end");
}

function refuseTotal(total: number): void {
  if (total === 0) throw invalid("start", "the range holds no time of the schedules");
  if (total <= MOST_TIMES) return;
  const counted = total > MOST_COUNTED ? `more than ${MOST_COUNTED}` : `${total}`;
  throw invalid("start", `there would be ${counted} runs; a backfill has at most ${MOST_TIMES}`);
}

/** As they are now: later changes neither add times nor take any away. */
async function chosenSchedules(
  queries: Queries,
  deploymentId: string,
  scheduleId: string | null,
): Promise<BackfillSchedule[]> {
  const rows = await readSchedules(queries, deploymentId);
  const chosen = rows.filter(({ id, active }) =>
    scheduleId === null ? active : id === scheduleId,
  );
  if (chosen.length === 0)
    throw invalid(
      "schedule_id",
      scheduleId === null
        ? "the deployment has no active schedule; name the one whose times are meant"
        : "the deployment has no such schedule",
    );
  const schedules = chosen.map(({ id, slug, schedule, parameters }) => ({
    id,
    slug,
    schedule: JSON.parse(schedule) as Schedule,
    parameters: readJson(parameters) as BackfillSchedule["parameters"],
  }));
  if (parametersTooLarge(writeJson(schedules)))
    throw invalid(
      "schedule_id",
      `the schedules take more than ${MAX_PARAMETERS_BYTES} bytes; name one of them`,
    );
  return schedules;
}

/**
 * The backfill's own parameters with placeholders worked out, once all runs are known to get what
 * fits.
 */
async function checkedParameters(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    deployment,
    schedules,
    body,
  }: {
    readonly deployment: DeploymentRow;
    readonly schedules: readonly BackfillSchedule[];
    readonly body: BackfillCreate;
  },
): Promise<JsonMap> {
  refuseLargeParameters(body.parameters);
  const own = await hydrated(ctx, scope, body.parameters ?? {});
  const base = readJson(deployment.parameters) as JsonMap;
  for (const { parameters } of schedules) {
    await parametersOfRun(ctx, scope, {
      layers: [base, parameters, own],
      schema: deployment.parameter_openapi_schema,
      isEnforced: deployment.enforce_parameter_schema,
    });
  }
  return own;
}

function invalid(key: string, problem: string): InvalidRequestError {
  return new InvalidRequestError([
    { type: "value_error", loc: ["body", key], msg: `Value error, ${problem}` },
  ]);
}
