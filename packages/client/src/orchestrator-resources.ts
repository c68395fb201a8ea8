import { artifacts } from "./resources/artifacts.ts";
import { automations } from "./resources/automations.ts";
import { backfills } from "./resources/backfills.ts";
import { blockDocuments, storageDefault } from "./resources/block-documents.ts";
import { blockSchemas } from "./resources/block-schemas.ts";
import { blockTypes } from "./resources/block-types.ts";
import { concurrencyLimits } from "./resources/concurrency-limits.ts";
import { dashboard } from "./resources/dashboard.ts";
import { deployments } from "./resources/deployments.ts";
import { events } from "./resources/events.ts";
import { flowRuns } from "./resources/flow-runs.ts";
import { flows } from "./resources/flows.ts";
import { logs } from "./resources/logs.ts";
import { names } from "./resources/names.ts";
import { flowRunStates, observedStates, taskRunStates } from "./resources/run-states.ts";
import { savedSearches } from "./resources/saved-searches.ts";
import { schemas, server, templates } from "./resources/server.ts";
import { slas } from "./resources/slas.ts";
import { tagLimits } from "./resources/tag-limits.ts";
import { taskRuns } from "./resources/task-runs.ts";
import { variables } from "./resources/variables.ts";
import { webhooks } from "./resources/webhooks.ts";
import { workPools } from "./resources/work-pools.ts";
import { workQueues } from "./resources/work-queues.ts";
import { collections, taskWorkers, workers } from "./resources/workers.ts";

/** Everything the orchestration API can be asked for. */
export const orchestratorResources = {
  artifacts,
  automations,
  backfills,
  blockDocuments,
  blockSchemas,
  blockTypes,
  collections,
  concurrencyLimits,
  dashboard,
  deployments,
  events,
  flowRuns,
  flowRunStates,
  flows,
  logs,
  names,
  observedStates,
  savedSearches,
  schemas,
  server,
  slas,
  storageDefault,
  tagLimits,
  taskRuns,
  taskRunStates,
  taskWorkers,
  templates,
  variables,
  webhooks,
  workers,
  workPools,
  workQueues,
};
