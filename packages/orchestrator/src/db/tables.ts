import {
  type BuildLockedRow,
  lockedRowBy,
  type Statements,
  type StoredRow,
  statementsFor,
} from "@orchestrator/kernel/storage";
import type {
  ARTIFACT_COLLECTIONS,
  ARTIFACTS,
  LatestArtifactRow,
} from "./tables/artifacts.table.ts";
import type {
  AUTOMATION_ACTIONS,
  AUTOMATION_RESOURCES,
  AUTOMATIONS,
  AutomationBucketRow,
  AutomationCatalogueRow,
  AutomationCausedIdRow,
  AutomationChainFiringRow,
  AutomationChildFiringRow,
  AutomationRevisionRow,
  AutomationThrottleRow,
  AutomationTraceRow,
  AutomationWaitingEventRow,
} from "./tables/automations.table.ts";
import type { BACKFILLS } from "./tables/backfills.table.ts";
import type { BackgroundTaskDispatchRow, TaskWorkerRow } from "./tables/background-tasks.table.ts";
import type {
  BLOCK_DOCUMENT_REFERENCES,
  BLOCK_DOCUMENTS,
  BlockReferenceChangeRow,
} from "./tables/block-documents.table.ts";
import type { BLOCK_SCHEMAS } from "./tables/block-schemas.table.ts";
import type { BLOCK_TYPES } from "./tables/block-types.table.ts";
import type {
  CONCURRENCY_LEASES,
  CONCURRENCY_LIMITS,
  CONCURRENCY_SLOTS,
} from "./tables/concurrency-limits.table.ts";
import type { CsrfTokenRow } from "./tables/csrf.table.ts";
import type { DELIVERIES } from "./tables/deliveries.table.ts";
import type { DEPLOYMENTS, SCHEDULES } from "./tables/deployments.table.ts";
import type { AwaitedEventRow, FlowRunWaitRow } from "./tables/flow-run-waits.table.ts";
import type { FLOW_RUN_INPUTS, FLOW_RUN_STATES, FLOW_RUNS } from "./tables/flow-runs.table.ts";
import type { FLOWS } from "./tables/flows.table.ts";
import type { JournalEntryRow } from "./tables/journal-entries.table.ts";
import type { LOGS } from "./tables/logs.table.ts";
import type { SAVED_SEARCHES } from "./tables/saved-searches.table.ts";
import type { SLA_WATCHES, SLAS } from "./tables/slas.table.ts";
import type { StorageDefaultRow } from "./tables/storage-defaults.table.ts";
import type { TASK_RUN_CACHE, TASK_RUN_STATES, TASK_RUNS } from "./tables/task-runs.table.ts";
import type { VARIABLES } from "./tables/variables.table.ts";
import type { WaitingTaskRunEventRow } from "./tables/waiting-events.table.ts";
import type { WEBHOOKS } from "./tables/webhooks.table.ts";
import type { WORK_POOLS } from "./tables/work-pools.table.ts";
import type { WORK_QUEUES } from "./tables/work-queues.table.ts";
import type { WorkerCleanupRow } from "./tables/worker-cleanups.table.ts";
import type { WORKERS } from "./tables/workers.table.ts";

/** Table name → row, assembled from the features. */
export interface Tables {
  artifact_collections: StoredRow<typeof ARTIFACT_COLLECTIONS>;
  artifacts: StoredRow<typeof ARTIFACTS>;
  automation_actions: StoredRow<typeof AUTOMATION_ACTIONS>;
  automation_buckets: InWorkspace<AutomationBucketRow>;
  automation_catalogue: AutomationCatalogueRow;
  automation_caused_ids: InWorkspace<AutomationCausedIdRow>;
  automation_chain_firings: InWorkspace<AutomationChainFiringRow>;
  automation_child_firings: InWorkspace<AutomationChildFiringRow>;
  automation_resources: StoredRow<typeof AUTOMATION_RESOURCES>;
  automation_revisions: InWorkspace<AutomationRevisionRow>;
  automation_throttles: InWorkspace<AutomationThrottleRow>;
  automation_traces: InWorkspace<AutomationTraceRow>;
  automation_waiting_events: InWorkspace<AutomationWaitingEventRow>;
  automations: StoredRow<typeof AUTOMATIONS>;
  awaited_events: InWorkspace<AwaitedEventRow>;
  backfills: StoredRow<typeof BACKFILLS>;
  background_task_offers: InWorkspace<BackgroundTaskDispatchRow>;
  block_document_references: StoredRow<typeof BLOCK_DOCUMENT_REFERENCES>;
  block_documents: StoredRow<typeof BLOCK_DOCUMENTS>;
  block_reference_changes: InWorkspace<BlockReferenceChangeRow>;
  block_schemas: StoredRow<typeof BLOCK_SCHEMAS>;
  block_types: StoredRow<typeof BLOCK_TYPES>;
  concurrency_leases: StoredRow<typeof CONCURRENCY_LEASES>;
  concurrency_limits: StoredRow<typeof CONCURRENCY_LIMITS>;
  concurrency_slots: StoredRow<typeof CONCURRENCY_SLOTS>;
  csrf_tokens: InWorkspace<CsrfTokenRow>;
  deliveries: StoredRow<typeof DELIVERIES>;
  deployment_schedules: StoredRow<typeof SCHEDULES>;
  deployments: StoredRow<typeof DEPLOYMENTS>;
  flow_run_inputs: StoredRow<typeof FLOW_RUN_INPUTS>;
  flow_run_states: StoredRow<typeof FLOW_RUN_STATES>;
  flow_run_waits: InWorkspace<FlowRunWaitRow>;
  flow_runs: StoredRow<typeof FLOW_RUNS>;
  flows: StoredRow<typeof FLOWS>;
  journal_entries: InWorkspace<JournalEntryRow>;
  latest_artifacts: InWorkspace<LatestArtifactRow>;
  logs: StoredRow<typeof LOGS>;
  saved_searches: StoredRow<typeof SAVED_SEARCHES>;
  sla_watches: StoredRow<typeof SLA_WATCHES>;
  slas: StoredRow<typeof SLAS>;
  storage_defaults: InWorkspace<StorageDefaultRow>;
  task_run_cache: StoredRow<typeof TASK_RUN_CACHE>;
  task_run_states: StoredRow<typeof TASK_RUN_STATES>;
  task_runs: StoredRow<typeof TASK_RUNS>;
  task_workers: InWorkspace<TaskWorkerRow>;
  variables: StoredRow<typeof VARIABLES>;
  waiting_task_run_events: InWorkspace<WaitingTaskRunEventRow>;
  webhooks: StoredRow<typeof WEBHOOKS>;
  work_pools: StoredRow<typeof WORK_POOLS>;
  work_queues: StoredRow<typeof WORK_QUEUES>;
  worker_cleanups: InWorkspace<WorkerCleanupRow>;
  workers: StoredRow<typeof WORKERS>;
}

type InWorkspace<Row> = Row & { workspace_id: string };

const statements: Statements<Tables> = statementsFor<Tables>();

export const statement: Statements<Tables>["statement"] = statements.statement;
export const lockedRow: BuildLockedRow<Tables> = lockedRowBy(statement);
/** For loops that look after the rows of all workspaces. */
export const systemStatement: Statements<Tables>["systemStatement"] = statements.systemStatement;
