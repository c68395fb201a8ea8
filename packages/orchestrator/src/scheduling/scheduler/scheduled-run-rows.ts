// The runs of a schedule's times, as the rows that are written for them.

import type { Labels, Schedule } from "@orchestrator/contract";
import { type JsonMap, readJson, writeJson } from "@orchestrator/exact-json";
import { formatMicros, type Ids } from "@orchestrator/kernel/pure";
import { keptKey } from "../../limits/limit-keys.rules.ts";
import { mergeParameters } from "../../parameters/merge.ts";
import { randomRunName } from "../../runs/flow-runs/run-names.ts";
import { fullPolicy } from "../../runs/flow-runs/run-policy.rules.ts";
import { receiveState, withDetails } from "../../runs/orchestration/run-state.ts";
import type { RunTime } from "../times/fill.rules.ts";
import { scheduleLabel } from "../times/schedules.rules.ts";
import type { Origin, ScheduledRun, ScheduledRuns } from "./scheduled-runs-insert.store.ts";

/** Every run that a schedule created has this tag. */
const TAG = "auto-scheduled";
const CREATED_BY = "SCHEDULE";

interface Source {
  readonly schedule_id: string;
  readonly schedule: string;
  readonly slug: string | null;
  readonly schedule_parameters: string;
  readonly deployment_id: string;
  readonly flow_id: string;
  readonly version: string | null;
  readonly parameters: string;
  readonly tags: string;
  readonly labels: string;
  readonly work_queue_id: string | null;
  readonly infrastructure_document_id: string | null;
  readonly limit_key: string | null;
}

interface Making {
  readonly ids: Ids;
  readonly now: string;
  /** What label keys begin with. */
  readonly prefix: string;
}

/**
 * The runs of a schedule at some times. The key of each names the date, so that a date has one run
 * whoever creates it.
 */
export function scheduledRuns(
  source: Source,
  times: readonly RunTime[],
  making: Making,
): ScheduledRuns {
  const origin = originOf(source, making);
  const keyOf = keysOf(source, origin);
  return { origin, runs: times.map((time) => runOf(source, { ...time, keyOf }, making)) };
}

const POLICY = writeJson(fullPolicy(null));

function originOf(source: Source, { now, prefix }: Making): Origin {
  const { schedule_id: id, slug, deployment_id, flow_id } = source;
  const labels: Labels = {
    ...(readJson(source.labels) as Labels),
    [`${prefix}.flow.id`]: flow_id,
    [`${prefix}.deployment.id`]: deployment_id,
  };
  const tags = new Set([TAG, ...(JSON.parse(source.tags) as string[])]);
  const display_value = scheduleLabel(JSON.parse(source.schedule) as Schedule, slug);
  return {
    created_by_id: id,
    created: now,
    flow_id,
    deployment_id,
    deployment_version: source.version,
    work_queue_id: source.work_queue_id,
    parameters: mergedParameters(source),
    context: "{}",
    empirical_policy: POLICY,
    tags: writeJson([...tags]),
    labels: writeJson(labels),
    infrastructure_document_id: source.infrastructure_document_id,
    created_by: writeJson({ id, type: CREATED_BY, display_value }),
    created_by_type: CREATED_BY,
    job_variables: "{}",
  };
}

type KeyOf = (name: string) => string | null;

/** A run without a value says so when it is claimed. */
function keysOf({ limit_key }: Source, origin: Origin): KeyOf {
  if (limit_key === null) return () => null;
  const parameters = readJson(origin.parameters) as Record<string, unknown>;
  const tags = JSON.parse(origin.tags) as string[];
  return (name) => {
    const key = keptKey(limit_key, { name, parameters, tags });
    return typeof key === "string" ? key : null;
  };
}

function mergedParameters({ parameters, schedule_parameters }: Source): string {
  if (schedule_parameters === "{}") return parameters;
  const own = readJson(schedule_parameters) as JsonMap;
  return writeJson(mergeParameters(readJson(parameters) as JsonMap, own));
}

function runOf(
  { schedule_id, deployment_id }: Source,
  { date, at, keyOf }: RunTime & { readonly keyOf: KeyOf },
  { ids, now }: Making,
): ScheduledRun {
  const id = ids.uuid7();
  const name = randomRunName();
  const scheduled_time = formatMicros(at);
  const received = receiveState(
    { type: "SCHEDULED", message: "Flow run scheduled", state_details: { scheduled_time } },
    { ids, now },
  );
  const state = withDetails(received, { flow_run_id: id });
  return {
    id,
    name,
    concurrency_key: keyOf(name),
    idempotency_key: `scheduled ${deployment_id} ${schedule_id} ${formatMicros(date)}`,
    state_id: state.id,
    state: writeJson(state),
    at: scheduled_time,
  };
}
