// The runs of a schedule's times, as the rows that are written for them.

import type { Labels, Schedule } from "@orchestrator/contract";
import { formatMicros, type Ids, readJson, writeJson } from "@orchestrator/kernel";
import { receiveState, withDetails } from "../../orchestration/run-state.ts";
import { randomRunName } from "../flow-runs/run-names.ts";
import { fullPolicy } from "../flow-runs/run-policy.rules.ts";
import { scheduleLabel } from "../schedules/schedules.rules.ts";
import type { RunTime } from "./fill.rules.ts";

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
}

interface Making {
  readonly ids: Ids;
  readonly now: string;
  /** What label keys begin with. */
  readonly prefix: string;
}

/** What the runs have in common, as JSON. What is JSON in the row already goes in as it is. */
export function originJson(source: Source, { now, prefix }: Omit<Making, "ids">): string {
  const { schedule_id: id, slug, deployment_id, flow_id } = source;
  const labels: Labels = {
    ...(readJson(source.labels) as Labels),
    [`${prefix}.flow.id`]: flow_id,
    [`${prefix}.deployment.id`]: deployment_id,
  };
  const tags = new Set([TAG, ...(JSON.parse(source.tags) as string[])]);
  const display_value = scheduleLabel(JSON.parse(source.schedule) as Schedule, slug);
  const row = writeJson({
    created_by_id: id,
    created: now,
    flow_id,
    deployment_id,
    deployment_version: source.version,
    work_queue_id: source.work_queue_id,
    context: {},
    empirical_policy: POLICY,
    tags: [...tags],
    labels,
    infrastructure_document_id: source.infrastructure_document_id,
    created_by: { id, type: CREATED_BY, display_value },
    created_by_type: CREATED_BY,
    job_variables: {},
  });
  return `${row.slice(0, -1)},"parameters":${mergedParameters(source)}}`;
}

const POLICY = fullPolicy(null);

function mergedParameters({ parameters, schedule_parameters }: Source): string {
  if (schedule_parameters === "{}") return parameters;
  return writeJson({
    ...(readJson(parameters) as object),
    ...(readJson(schedule_parameters) as object),
  });
}

/** The runs' own rows, as JSON. The key names the date, so that a date has one run whoever creates it. */
export function runsJson(
  { schedule_id, deployment_id }: Pick<Source, "schedule_id" | "deployment_id">,
  times: readonly RunTime[],
  { ids, now }: Omit<Making, "prefix">,
): string[] {
  return times.map(({ date, at }) => {
    const id = ids.uuid7();
    const scheduled_time = formatMicros(at);
    const received = receiveState(
      { type: "SCHEDULED", message: "Flow run scheduled", state_details: { scheduled_time } },
      { ids, now },
    );
    const state = withDetails(received, { flow_run_id: id });
    return writeJson({
      id,
      created_by_id: schedule_id,
      name: randomRunName(),
      idempotency_key: `scheduled ${deployment_id} ${schedule_id} ${formatMicros(date)}`,
      state_id: state.id,
      state,
      at: scheduled_time,
    });
  });
}
