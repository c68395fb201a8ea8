import { type HttpApp, type MountedApi, mountApi } from "@orchestrator/kernel";
import { checkApiVersion } from "./api-version.ts";
import type { OrchestratorContext } from "./context.ts";
import { artifactRoutes } from "./features/artifacts/artifacts.routes.ts";
import { automationRoutes } from "./features/automations/automations.routes.ts";
import { monitorAlertRoutes } from "./features/automations/monitor-alerts.routes.ts";
import { backfillRoutes } from "./features/backfills/backfills.routes.ts";
import { taskSubscriptionSocket } from "./features/background-tasks/task-subscriptions.socket.ts";
import { taskWorkerRoutes } from "./features/background-tasks/task-workers.routes.ts";
import { blockDocumentRoutes } from "./features/block-documents/block-documents.routes.ts";
import { blockSchemaRoutes } from "./features/block-schemas/block-schemas.routes.ts";
import { blockTypeRoutes } from "./features/block-types/block-types.routes.ts";
import { collectionRoutes } from "./features/collections/collections.routes.ts";
import { concurrencyLimitRoutes } from "./features/concurrency-limits/concurrency-limits.routes.ts";
import { slotRoutes } from "./features/concurrency-limits/slots.routes.ts";
import { tagLimitRoutes } from "./features/concurrency-limits/tag-limits.routes.ts";
import { csrfRoutes } from "./features/csrf/csrf.routes.ts";
import { deliveryRoutes } from "./features/deliveries/deliveries.routes.ts";
import { deploymentActionRoutes } from "./features/deployments/deployment-actions.routes.ts";
import { deploymentRoutes } from "./features/deployments/deployments.routes.ts";
import { eventRoutes } from "./features/events/events.routes.ts";
import { eventFilterRoutes } from "./features/events/events-filter.routes.ts";
import { eventsInSocket } from "./features/events/events-in.socket.ts";
import { eventsOutSocket } from "./features/events/events-out.socket.ts";
import { explainRoutes } from "./features/explain/explain.routes.ts";
import { flowRunInputRoutes } from "./features/flow-runs/flow-run-inputs.routes.ts";
import { flowRunStateRoutes } from "./features/flow-runs/flow-run-states.routes.ts";
import { flowRunRoutes } from "./features/flow-runs/flow-runs.routes.ts";
import { flowRoutes } from "./features/flows/flows.routes.ts";
import { graphRoutes } from "./features/graphs/graphs.routes.ts";
import { housekeepingRoutes } from "./features/housekeeping/housekeeping.routes.ts";
import { uiSettingsRoute } from "./features/housekeeping/ui-settings.routes.ts";
import { logsOutSocket } from "./features/live-logs/logs-out.socket.ts";
import { logRoutes } from "./features/logs/logs.routes.ts";
import { nameRoutes } from "./features/names/names.routes.ts";
import { figureRoutes } from "./features/run-history/figures.routes.ts";
import { historyRoutes } from "./features/run-history/history.routes.ts";
import { savedSearchRoutes } from "./features/saved-searches/saved-searches.routes.ts";
import { scheduleRoutes } from "./features/schedules/schedules.routes.ts";
import { schemaValidationRoutes } from "./features/schema-validation/schema-validation.routes.ts";
import { slaRoutes } from "./features/slas/slas.routes.ts";
import { stateRoutes } from "./features/states/states.routes.ts";
import { storageDefaultRoutes } from "./features/storage-defaults/storage-defaults.routes.ts";
import { taskRunRoutes } from "./features/task-runs/task-runs.routes.ts";
import { templateRoutes } from "./features/templates/templates.routes.ts";
import { variableRoutes } from "./features/variables/variables.routes.ts";
import { receiveWebhookRoutes } from "./features/webhooks/receive-webhook.routes.ts";
import { webhookRoutes } from "./features/webhooks/webhooks.routes.ts";
import { workPoolRoutes } from "./features/work-pools/work-pools.routes.ts";
import { workQueueRoutes } from "./features/work-queues/work-queues.routes.ts";
import { workerChannelSocket } from "./features/workers/worker-channel.socket.ts";
import { workerRoutes } from "./features/workers/workers.routes.ts";
import { noteGapsFirst } from "./http/note-gaps-first.ts";

/** Every endpoint of the orchestration API, feature by feature. */
export function mountOrchestrator(app: HttpApp, ctx: OrchestratorContext): MountedApi {
  uiSettingsRoute(app, ctx);
  return mountApi(
    app,
    {
      prefix: "/api",
      title: "Orchestration API",
      version: ctx.dialect.apiVersion,
      description: "Deploy, schedule, run and observe workflows.",
      malformedJsonStatus: 422,
      resolveScope: ctx.gate.enter,
      socketGate: ctx.gate,
      challenge: ctx.gate.challenge,
    },
    (api) => {
      checkApiVersion(api, ctx.dialect);
      noteGapsFirst(api, ctx);
      csrfRoutes(api, ctx);
      housekeepingRoutes(api, ctx);
      schemaValidationRoutes(api, ctx);
      templateRoutes(api, ctx);
      variableRoutes(api, ctx);
      workPoolRoutes(api, ctx);
      workQueueRoutes(api, ctx);
      workerRoutes(api, ctx);
      workerChannelSocket(api, ctx);
      collectionRoutes(api);
      blockTypeRoutes(api, ctx);
      blockSchemaRoutes(api, ctx);
      blockDocumentRoutes(api, ctx);
      storageDefaultRoutes(api, ctx);
      concurrencyLimitRoutes(api, ctx);
      slotRoutes(api, ctx);
      tagLimitRoutes(api, ctx);
      flowRunRoutes(api, ctx);
      flowRunStateRoutes(api, ctx);
      flowRunInputRoutes(api, ctx);
      taskRunRoutes(api, ctx);
      explainRoutes(api, ctx);
      flowRoutes(api, ctx);
      deploymentRoutes(api, ctx);
      deploymentActionRoutes(api, ctx);
      scheduleRoutes(api, ctx);
      slaRoutes(api, ctx);
      backfillRoutes(api, ctx);
      historyRoutes(api, ctx);
      figureRoutes(api, ctx);
      nameRoutes(api, ctx);
      graphRoutes(api, ctx);
      stateRoutes(api, ctx);
      logRoutes(api, ctx);
      artifactRoutes(api, ctx);
      savedSearchRoutes(api, ctx);
      automationRoutes(api, ctx);
      monitorAlertRoutes(api, ctx);
      deliveryRoutes(api, ctx);
      webhookRoutes(api, ctx);
      receiveWebhookRoutes(api, ctx);
      eventRoutes(api, ctx);
      eventFilterRoutes(api, ctx);
      eventsInSocket(api, ctx);
      eventsOutSocket(api, ctx);
      logsOutSocket(api, ctx);
      taskSubscriptionSocket(api, ctx);
      taskWorkerRoutes(api, ctx);
    },
  );
}
