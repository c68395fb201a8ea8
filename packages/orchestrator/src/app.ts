import { type HttpApp, type MountedApi, mountApi } from "@orchestrator/kernel/http";
import { checkApiVersion } from "./api-version.ts";
import { blockDocumentRoutes } from "./blocks/block-documents.routes.ts";
import { blockSchemaRoutes } from "./blocks/block-schemas.routes.ts";
import { blockTypeRoutes } from "./blocks/block-types.routes.ts";
import type { OrchestratorContext } from "./context.ts";
import { deploymentActionRoutes } from "./flows/deployments/deployment-actions.routes.ts";
import { deploymentRoutes } from "./flows/deployments/deployments.routes.ts";
import { flowRoutes } from "./flows/flows.routes.ts";
import { rerunRoutes } from "./flows/reruns/reruns.routes.ts";
import { storageDefaultRoutes } from "./flows/storage-defaults/storage-defaults.routes.ts";
import { figureRoutes } from "./history/figures.routes.ts";
import { historyRoutes } from "./history/history.routes.ts";
import { noteGapsFirst } from "./http/note-gaps-first.ts";
import { concurrencyLimitRoutes } from "./limits/concurrency-limits.routes.ts";
import { slotRoutes } from "./limits/slots.routes.ts";
import { tagLimitRoutes } from "./limits/tag-limits.routes.ts";
import { automationRoutes } from "./reacting/automations/automations.routes.ts";
import { monitorAlertRoutes } from "./reacting/automations/monitor-alerts.routes.ts";
import { deliveryRoutes } from "./reacting/deliveries/deliveries.routes.ts";
import { slaRoutes } from "./reacting/slas/slas.routes.ts";
import { templateRoutes } from "./reacting/templates/templates.routes.ts";
import { flowRunWaitRoutes } from "./reacting/waits/run-waits.routes.ts";
import { receiveWebhookRoutes } from "./reacting/webhooks/receive-webhook.routes.ts";
import { webhookRoutes } from "./reacting/webhooks/webhooks.routes.ts";
import { taskSubscriptionSocket } from "./runs/background-tasks/task-subscriptions.socket.ts";
import { taskWorkerRoutes } from "./runs/background-tasks/task-workers.routes.ts";
import { explainRoutes } from "./runs/explain/explain.routes.ts";
import { flowRunClaimRoutes } from "./runs/flow-runs/flow-run-claims.routes.ts";
import { flowRunInputRoutes } from "./runs/flow-runs/flow-run-inputs.routes.ts";
import { flowRunStateRoutes } from "./runs/flow-runs/flow-run-states.routes.ts";
import { flowRunRoutes } from "./runs/flow-runs/flow-runs.routes.ts";
import { graphRoutes } from "./runs/graphs/graphs.routes.ts";
import { stateRoutes } from "./runs/states/states.routes.ts";
import { taskRunRoutes } from "./runs/task-runs/task-runs.routes.ts";
import { backfillRoutes } from "./scheduling/backfills/backfills.routes.ts";
import { scheduleRoutes } from "./scheduling/schedules.routes.ts";
import { artifactRoutes } from "./telemetry/artifacts/artifacts.routes.ts";
import { eventRoutes } from "./telemetry/events/events.routes.ts";
import { eventFilterRoutes } from "./telemetry/events/events-filter.routes.ts";
import { eventsInSocket } from "./telemetry/events/events-in.socket.ts";
import { eventsOutSocket } from "./telemetry/events/events-out.socket.ts";
import { journalRoutes } from "./telemetry/journal/journal.routes.ts";
import { logsOutSocket } from "./telemetry/live-logs/logs-out.socket.ts";
import { logRoutes } from "./telemetry/logs/logs.routes.ts";
import { workPoolRoutes } from "./work/pools/work-pools.routes.ts";
import { workQueueRoutes } from "./work/queues/work-queues.routes.ts";
import { workerChannelSocket } from "./work/workers/worker-channel.socket.ts";
import { workerRoutes } from "./work/workers/workers.routes.ts";
import { collectionRoutes } from "./workspace/collections/collections.routes.ts";
import { csrfRoutes } from "./workspace/csrf/csrf.routes.ts";
import { housekeepingRoutes } from "./workspace/housekeeping/housekeeping.routes.ts";
import { uiSettingsRoute } from "./workspace/housekeeping/ui-settings.routes.ts";
import { nameRoutes } from "./workspace/names/names.routes.ts";
import { savedSearchRoutes } from "./workspace/saved-searches/saved-searches.routes.ts";
import { schemaValidationRoutes } from "./workspace/schema-validation/schema-validation.routes.ts";
import { variableRoutes } from "./workspace/variables/variables.routes.ts";

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
      flowRunClaimRoutes(api, ctx);
      flowRunStateRoutes(api, ctx);
      flowRunInputRoutes(api, ctx);
      taskRunRoutes(api, ctx);
      explainRoutes(api, ctx);
      flowRoutes(api, ctx);
      deploymentRoutes(api, ctx);
      deploymentActionRoutes(api, ctx);
      rerunRoutes(api, ctx);
      scheduleRoutes(api, ctx);
      slaRoutes(api, ctx);
      backfillRoutes(api, ctx);
      historyRoutes(api, ctx);
      figureRoutes(api, ctx);
      nameRoutes(api, ctx);
      graphRoutes(api, ctx);
      stateRoutes(api, ctx);
      logRoutes(api, ctx);
      journalRoutes(api, ctx);
      flowRunWaitRoutes(api, ctx);
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
