// Which values name rows, by where they stand: in paths, in queries, and in bodies.
import type { DocumentedSchema } from "./documented-operations.ts";
import type { Planted } from "./planted-workspace.ts";

/** What a parameter of a path names, by the path up to it. The first line that fits counts. */
const IN_PATHS: readonly (readonly [path: RegExp, kind: string])[] = [
  [/^\/api\/(accounts|admin\/accounts)\/\{account_id\}$/, "account"],
  [/\{workspace_id\}$/, "workspace"],
  [/\/service_accounts\/\{\w+\}$/, "service-account"],
  [/\/api_keys\/\{\w+\}$/, "api-key"],
  [/\/(members|users)\/\{\w+\}$/, "user"],
  [/\/(invitations|sessions)\/\{\w+\}$/, "nothing"],
  [/\/variables\/\{id\}$/, "variable"],
  [/\/variables\/name\/\{name\}$/, "variable.name"],
  [/\/work_pools\/\{\w+\}$/, "pool.name"],
  [/\/queues\/\{name\}$/, "queue.name"],
  [/\/workers\/\{name\}$/, "worker.name"],
  [/\/work_queues\/name\/\{name\}$/, "queue.name"],
  [/\/work_queues\/\{id\}$/, "queue"],
  [/\/block_types\/slug\/\{slug\}\/block_documents\/name\/\{name\}$/, "block.name"],
  [/\/block_types\/slug\/\{slug\}$/, "block-type.slug"],
  [/\/block_types\/\{id\}$/, "block-type"],
  [/\/block_schemas\/checksum\/\{checksum\}$/, "block-schema.checksum"],
  [/\/block_schemas\/\{id\}$/, "block-schema"],
  [/\/block_documents\/\{id\}$/, "block"],
  [/\/v2\/concurrency_limits\/leases\/\{lease_id\}$/, "lease"],
  [/\/v2\/concurrency_limits\/\{id_or_name\}$/, "limit"],
  [/\/concurrency_limits\/tag\/\{tag\}$/, "older-limit.tag"],
  [/\/concurrency_limits\/\{id\}$/, "older-limit"],
  [/\/flow_runs\/\{id\}\/input\/\{key\}$/, "run.input"],
  [/\/flow_runs\/\{id\}$/, "run"],
  [/\/task_runs\/\{id\}$/, "task-run"],
  [/\/flow_run_states\/\{id\}$/, "run.state"],
  [/\/task_run_states\/\{id\}$/, "task-run.state"],
  [/\/flows\/name\/\{name\}$/, "flow.name"],
  [/\/flows\/\{id\}$/, "flow"],
  [/\/deployments\/name\/\{flow_name\}$/, "flow.name"],
  [/\{deployment_name\}$/, "deployment.name"],
  [/\/schedules\/\{schedule_id\}$/, "schedule"],
  [/\/deployments\/\{id\}$/, "deployment"],
  [/\/slas\/apply-resource-slas\/\{resource\}$/, "deployment.resource"],
  [/\/slas\/\{id\}$/, "sla"],
  [/\/backfills\/\{id\}$/, "backfill"],
  [/\/artifacts\/\{id\}$/, "artifact"],
  [/\/artifacts\/\{key\}$/, "artifact.key"],
  [/\/saved_searches\/\{id\}$/, "search"],
  [/\/automations\/(related-to|owned-by)\/\{resource_id\}$/, "deployment.resource"],
  [/\/automations\/deliveries\/\{id\}$/, "nothing"],
  [/\/automations\/\{id\}$/, "automation"],
  [/\/webhooks\/\{id\}$/, "webhook"],
  [/\/webhooks\/whk_\{token\}$/, "nothing"],
  [/\/heartbeat\/\{token\}$/, "nothing"],
  [/\/incidents\/\{id\}$/, "incident"],
  [/\/monitors\/\{id\}$/, "monitor"],
  [/\/maintenance\/\{id\}$/, "maintenance"],
  [/\/status-pages\/\{slug\}$/, "status-page.slug"],
  [/\/status-pages\/\{id\}$/, "status-page"],
  [/\/reports\/\{report\}$/, "report"],
  [/\/updates\/\{update\}$/, "report-update"],
  [/\/collections\/views\/\{view\}$/, "view"],
  [/\/count-by\/\{countable\}$/, "countable"],
];

/** What stands for itself in every workspace. */
const COMMON: Planted = {
  view: "aggregate-worker-metadata",
  countable: "resource",
  nothing: "11111111-1111-4111-8111-111111111111",
};

/** The kind of thing a parameter of a path names. */
export function kindInPath(path: string, parameter: string): string {
  const upToIt = path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);
  const found = IN_PATHS.find(([pattern]) => pattern.test(upToIt));
  if (found === undefined) throw new Error(`What does {${parameter}} of ${path} name?`);
  return found[1];
}

export const isCommon = (kind: string): boolean => kind in COMMON;

/** The value of a kind, of whichever workspace was planted. */
export function valueOf(kind: string, planted: Planted): string {
  // What has no name of its own is called by the mark.
  const value = COMMON[kind] ?? planted[kind] ?? (kind.includes(".") ? planted["mark"] : undefined);
  if (value === undefined || value === "") throw new Error(`Nothing was planted for ${kind}`);
  return value;
}

/** The path with a value for each of its parameters. */
export function filledPath(path: string, value: (kind: string, name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(value(kindInPath(path, name), name)),
  );
}

/**
 * What a value of a body or a query names, by the names of its place, the last one first where it
 * says enough.
 */
const BY_NAME: Readonly<Record<string, string>> = {
  flow_id: "flow",
  flow_ids: "flow",
  flows: "flow",
  flow_name: "flow.name",
  flow_or_deployment_name: "flow.name",
  deployment_id: "deployment",
  deployment_ids: "deployment",
  deployments: "deployment",
  base: "deployment",
  root: "deployment",
  schedule_id: "schedule",
  schedules: "schedule",
  flow_run_id: "run",
  flow_run_ids: "run",
  flow_runs: "run",
  child_flow_run_id: "run",
  parent_flow_run_id: "run",
  root_flow_run_id: "run",
  task_run_id: "task-run",
  task_runs: "task-run",
  parent_task_run_id: "task-run",
  task_inputs: "task-run",
  task_key: "task-run.key",
  task_keys: "task-run.key",
  task_parameters_id: "task-run",
  pause_id: "run",
  transition_id: "run.state",
  claim_id: "run.state",
  created_by: "schedule",
  work_pool_id: "pool",
  work_pools: "pool",
  work_pool_name: "pool.name",
  default_queue_id: "queue",
  work_queue_id: "queue",
  work_queues: "queue",
  work_pool_queues: "queue",
  work_queue_name: "queue.name",
  work_queue_names: "queue.name",
  worker_id: "worker",
  workers: "worker",
  artifacts: "artifact",
  latest_id: "artifact",
  variables: "variable",
  saved_searches: "search",
  block_type_id: "block-type",
  block_types: "block-type",
  block_schema_id: "block-schema",
  block_schemas: "block-schema",
  block_documents: "block",
  block_document_id: "block",
  default_result_storage_block_id: "block",
  infrastructure_document_id: "block",
  storage_document_id: "block",
  deployment_concurrency_lease_id: "lease",
  lease_id: "lease",
  global_concurrency_limit_id: "limit",
  concurrency_limits: "limit",
  names: "limit.name",
  holder: "run",
  slot_override: "task-run",
  logs: "log",
  slas: "sla",
  backfills: "backfill",
  automation_id: "automation",
  automations: "automation",
  owner_resource: "deployment.resource",
  deliveries: "automation",
  webhooks: "webhook",
  resource: "deployment.resource",
  any_resource: "deployment.resource",
  related: "deployment.resource",
  event: "event.name",
  actions: "automation",
  events: "event",
  follows: "event",
  monitor_id: "monitor",
  monitor_ids: "monitor",
  parents: "monitor",
  monitors: "monitor",
  incident_id: "incident",
  service_account_id: "service-account",
  actor_id: "user",
  cursor: "audit-cursor",
  user_id: "user",
  api_key_id: "api-key",
  resource_id: "flow",
  workspace_ids: "workspace",
  workspace_id: "workspace",
  tags: "tag",
  tag: "older-limit.tag",
  "page-token": "event.page",
};

/** Says how to compare, not with what. */
const OPERATORS = new Set(["any_", "all_", "like_", "startswith_", "id_", "id", "ids", "anything"]);
const NAMES = new Set(["name", "slug", "key"]);

/** The kind of thing that a place of a body names; null where it names nothing. */
export function kindInBody(
  path: string,
  names: readonly string[],
  { format }: DocumentedSchema,
): string | null {
  const meaning = names.filter((name) => !OPERATORS.has(name));
  const last = meaning.at(-1) ?? "";
  if (NAMES.has(last)) return kindOfName(path, meaning.slice(0, -1), last);
  const kind = BY_NAME[last];
  if (kind !== undefined) return kind;
  if (format !== "uuid") return null;
  const ofPath = kindOfPath(path);
  if (/^ids?$/.test(names.at(-1) ?? "") && ofPath !== null) return ofPath;
  throw new Error(`What does ${names.join(".")} of ${path} name?`);
}

/** The name of what the body is about, or of what its filter is about. */
function kindOfName(path: string, before: readonly string[], name: string): string | null {
  const about = BY_NAME[before.at(-1) ?? ""] ?? (before.length === 0 ? kindOfPath(path) : null);
  return about === null ? null : `${about.replace(/\..*/, "")}.${name}`;
}

function kindOfPath(path: string): string | null {
  const parts = path.split("/").filter((part) => !part.startsWith("{"));
  const found = parts.findLast((part) => part in BY_NAME);
  return found === undefined ? null : (BY_NAME[found] ?? null);
}
