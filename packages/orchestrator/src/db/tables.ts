import {
  type BuildHeldRow,
  heldRowBy,
  type Statements,
  statementsFor,
} from "@orchestrator/kernel/storage";
import type {
  ArtifactCollectionRow,
  ArtifactRow,
  LatestArtifactRow,
} from "./tables/artifacts.table.ts";
import type {
  AutomationActionRow,
  AutomationBucketRow,
  AutomationCatalogueRow,
  AutomationCausedIdRow,
  AutomationChainFiringRow,
  AutomationChildFiringRow,
  AutomationResourceRow,
  AutomationRevisionRow,
  AutomationRow,
  AutomationThrottleRow,
  AutomationTraceRow,
  AutomationWaitingEventRow,
} from "./tables/automations.table.ts";
import type { BackfillRow } from "./tables/backfills.table.ts";
import type { BackgroundTaskOfferRow, TaskWorkerRow } from "./tables/background-tasks.table.ts";
import type {
  BlockDocumentReferenceRow,
  BlockDocumentRow,
  BlockReferenceChangeRow,
} from "./tables/block-documents.table.ts";
import type { BlockSchemaRow } from "./tables/block-schemas.table.ts";
import type { BlockTypeRow } from "./tables/block-types.table.ts";
import type {
  AwaitedValue,
  ConcurrencyLeaseRow,
  ConcurrencyLimitRow,
  ConcurrencySlotRow,
} from "./tables/concurrency-limits.table.ts";
import type { CsrfTokenRow } from "./tables/csrf.table.ts";
import type { DeliveryRow } from "./tables/deliveries.table.ts";
import type {
  DeploymentRow,
  LookedAtSchedule,
  ScheduleRow,
  ServedDeployment,
} from "./tables/deployments.table.ts";
import type {
  EarlierTransitions,
  FlowRunInputRow,
  FlowRunRow,
  FlowRunStateRow,
  HeartbeatPromise,
} from "./tables/flow-runs.table.ts";
import type { FlowRow } from "./tables/flows.table.ts";
import type { LogRow } from "./tables/logs.table.ts";
import type { SavedSearchRow } from "./tables/saved-searches.table.ts";
import type { SlaRow, SlaWatchRow } from "./tables/slas.table.ts";
import type { StorageDefaultRow } from "./tables/storage-defaults.table.ts";
import type { TaskRunCacheRow, TaskRunRow, TaskRunStateRow } from "./tables/task-runs.table.ts";
import type { VariableRow } from "./tables/variables.table.ts";
import type { WaitingTaskRunEventRow } from "./tables/waiting-events.table.ts";
import type { WebhookRow } from "./tables/webhooks.table.ts";
import type { WorkerRow, WorkPoolRow, WorkQueueRow } from "./tables/work-pools.table.ts";
import type { WorkerCleanupRow } from "./tables/worker-cleanups.table.ts";

/** Table name → row, assembled from the features. */
export interface Tables {
  artifact_collections: InWorkspace<ArtifactCollectionRow>;
  artifacts: InWorkspace<ArtifactRow>;
  automation_actions: InWorkspace<AutomationActionRow>;
  automation_buckets: InWorkspace<AutomationBucketRow>;
  automation_catalogue: AutomationCatalogueRow;
  automation_caused_ids: InWorkspace<AutomationCausedIdRow>;
  automation_chain_firings: InWorkspace<AutomationChainFiringRow>;
  automation_child_firings: InWorkspace<AutomationChildFiringRow>;
  automation_resources: InWorkspace<AutomationResourceRow>;
  automation_revisions: InWorkspace<AutomationRevisionRow>;
  automation_throttles: InWorkspace<AutomationThrottleRow>;
  automation_traces: InWorkspace<AutomationTraceRow>;
  automation_waiting_events: InWorkspace<AutomationWaitingEventRow>;
  automations: InWorkspace<AutomationRow>;
  backfills: InWorkspace<BackfillRow>;
  background_task_offers: InWorkspace<BackgroundTaskOfferRow>;
  block_document_references: InWorkspace<BlockDocumentReferenceRow>;
  block_documents: InWorkspace<BlockDocumentRow>;
  block_reference_changes: InWorkspace<BlockReferenceChangeRow>;
  block_schemas: InWorkspace<BlockSchemaRow>;
  block_types: InWorkspace<BlockTypeRow>;
  concurrency_leases: InWorkspace<ConcurrencyLeaseRow>;
  concurrency_limits: InWorkspace<ConcurrencyLimitRow>;
  concurrency_slots: InWorkspace<ConcurrencySlotRow>;
  csrf_tokens: InWorkspace<CsrfTokenRow>;
  deliveries: InWorkspace<DeliveryRow>;
  deployment_schedules: InWorkspace<ScheduleRow & LookedAtSchedule>;
  deployments: InWorkspace<DeploymentRow & ServedDeployment>;
  flow_run_inputs: InWorkspace<FlowRunInputRow>;
  flow_run_states: InWorkspace<FlowRunStateRow>;
  flow_runs: InWorkspace<FlowRunRow & AwaitedValue & EarlierTransitions & HeartbeatPromise>;
  flows: InWorkspace<FlowRow>;
  latest_artifacts: InWorkspace<LatestArtifactRow>;
  logs: InWorkspace<LogRow>;
  saved_searches: InWorkspace<SavedSearchRow>;
  sla_watches: InWorkspace<SlaWatchRow>;
  slas: InWorkspace<SlaRow>;
  storage_defaults: InWorkspace<StorageDefaultRow>;
  task_run_cache: InWorkspace<TaskRunCacheRow>;
  task_run_states: InWorkspace<TaskRunStateRow>;
  task_runs: InWorkspace<TaskRunRow>;
  task_workers: InWorkspace<TaskWorkerRow>;
  variables: InWorkspace<VariableRow>;
  waiting_task_run_events: InWorkspace<WaitingTaskRunEventRow>;
  webhooks: InWorkspace<WebhookRow>;
  work_pools: InWorkspace<WorkPoolRow>;
  work_queues: InWorkspace<WorkQueueRow>;
  worker_cleanups: InWorkspace<WorkerCleanupRow>;
  workers: InWorkspace<WorkerRow>;
}

type InWorkspace<Row> = Row & { workspace_id: string };

const statements: Statements<Tables> = statementsFor<Tables>();

export const statement: Statements<Tables>["statement"] = statements.statement;
export const heldRow: BuildHeldRow<Tables> = heldRowBy(statement);
/** For loops that look after the rows of all workspaces. */
export const systemStatement: Statements<Tables>["systemStatement"] = statements.systemStatement;
