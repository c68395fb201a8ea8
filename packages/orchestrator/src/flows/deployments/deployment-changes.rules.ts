import type { ConcurrencyOptions, DeploymentUpdate, Labels } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";

/** What a caller may say of a deployment beyond its schedules, its queue and its limit. */
export type DeploymentFields = Omit<
  DeploymentUpdate,
  | "schedule"
  | "schedules"
  | "work_pool_name"
  | "work_queue_name"
  | "concurrency_limit"
  | "global_concurrency_limit_id"
> & { readonly labels?: Labels | null };

/** An empty name of a pool or a queue is as if it were left out. */
export const withoutEmptyPlace = <Body extends WorkPlace>(body: Body): Body =>
  withoutPlace(body, (name) => name === "");

/** And so is null, where there is no pool to be taken away. */
export const withoutPlaceOfNone = <Body extends WorkPlace>(body: Body): Body =>
  withoutPlace(body, (name) => !name);

function withoutPlace<Body extends WorkPlace>(
  body: Body,
  isNone: (name: string | null | undefined) => boolean,
): Body {
  const placed = { ...body };
  if (isNone(placed.work_pool_name)) delete placed.work_pool_name;
  if (isNone(placed.work_queue_name)) delete placed.work_queue_name;
  return placed;
}

interface WorkPlace {
  work_pool_name?: string | null;
  work_queue_name?: string | null;
}

/** A deployment of which nothing is known but what it is called. */
export function newDeploymentRow({
  id,
  name,
  flow_id,
  labels,
  now,
}: {
  readonly id: string;
  readonly name: string;
  readonly flow_id: string;
  readonly labels: Labels;
  readonly now: string;
}): DeploymentRow {
  return {
    id,
    created: now,
    updated: now,
    name,
    flow_id,
    version: null,
    description: null,
    paused: false,
    concurrency_limit_id: null,
    concurrency_options: null,
    job_variables: "{}",
    parameters: "{}",
    parameter_openapi_schema: "{}",
    enforce_parameter_schema: true,
    tags: "[]",
    labels: writeJson(labels),
    work_queue_id: null,
    path: null,
    entrypoint: null,
    pull_steps: "[]",
    storage_document_id: null,
    infrastructure_document_id: null,
    status: "NOT_READY",
    last_polled: null,
  };
}

/** Only what was given changes. Null empties what can be empty and leaves the rest as it is. */
export function withChanges(row: DeploymentRow, changes: DeploymentFields): DeploymentRow {
  const options = changes.concurrency_options;
  return {
    ...row,
    version: given(changes.version, row.version),
    description: given(changes.description, row.description),
    paused: changes.paused ?? row.paused,
    concurrency_options: givenJson(
      options == null ? options : knownOptions(options),
      row.concurrency_options,
    ),
    job_variables:
      changes.job_variables == null ? row.job_variables : writeJson(changes.job_variables),
    parameters: changes.parameters == null ? row.parameters : writeJson(changes.parameters),
    parameter_openapi_schema: givenJson(
      changes.parameter_openapi_schema,
      row.parameter_openapi_schema,
    ),
    enforce_parameter_schema: changes.enforce_parameter_schema ?? row.enforce_parameter_schema,
    tags: changes.tags == null ? row.tags : JSON.stringify([...new Set(changes.tags)]),
    labels:
      changes.labels == null
        ? row.labels
        : writeJson({ ...(readJson(row.labels) as Labels), ...changes.labels }),
    path: given(changes.path, row.path),
    entrypoint: given(changes.entrypoint, row.entrypoint),
    pull_steps: givenJson(changes.pull_steps, row.pull_steps),
    storage_document_id: given(changes.storage_document_id, row.storage_document_id),
    infrastructure_document_id: given(
      changes.infrastructure_document_id,
      row.infrastructure_document_id,
    ),
  };
}

/** What a newer client may say beside is let go. */
const knownOptions = ({
  collision_strategy,
  grace_period_seconds = null,
}: ConcurrencyOptions): ConcurrencyOptions => ({ grace_period_seconds, collision_strategy });

const given = <T>(value: T | undefined, stored: T): T => (value === undefined ? stored : value);

const givenJson = (value: unknown, stored: string | null): string | null => {
  if (value === undefined) return stored;
  return value === null ? null : writeJson(value);
};

const isJson = { text: false, json: true } as const;

/** The fields whose change is told, and whether the row holds them as JSON. */
const TOLD = {
  description: isJson.text,
  tags: isJson.json,
  parameters: isJson.json,
  parameter_openapi_schema: isJson.json,
  enforce_parameter_schema: isJson.text,
  entrypoint: isJson.text,
  path: isJson.text,
  pull_steps: isJson.json,
  work_queue_id: isJson.text,
  job_variables: isJson.json,
  paused: isJson.text,
  labels: isJson.json,
  version: isJson.text,
  concurrency_limit_id: isJson.text,
  concurrency_options: isJson.json,
} as const satisfies Partial<Record<keyof DeploymentRow, boolean>>;

/** A field that is not what it was; both values as JSON text. */
export interface DeploymentChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

export function changesBetween(before: DeploymentRow, after: DeploymentRow): DeploymentChange[] {
  return Object.entries(TOLD).flatMap(([field, holdsJson]) => {
    const from = before[field as keyof DeploymentRow];
    const to = after[field as keyof DeploymentRow];
    if (from === to) return [];
    return { field, from: jsonOf(from, holdsJson), to: jsonOf(to, holdsJson) };
  });
}

function jsonOf(value: unknown, holdsJson: boolean): string {
  return holdsJson && typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether anything at all is stored differently. */
export function isSameRow(before: DeploymentRow, after: DeploymentRow): boolean {
  return (Object.keys(after) as (keyof DeploymentRow)[]).every((key) => before[key] === after[key]);
}
