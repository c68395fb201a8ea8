import type { MigrationList } from "@orchestrator/kernel/storage";
import { variablesMigration } from "./0001-variables.ts";
import { csrfTokensMigration } from "./0002-csrf-tokens.ts";
import { workPoolsMigration } from "./0010-work-pools.ts";
import { deploymentsMigration } from "./0011-deployments.ts";
import { flowRunsMigration } from "./0012-flow-runs.ts";
import { taskRunsMigration } from "./0013-task-runs.ts";
import { concurrencyLimitsMigration } from "./0014-concurrency-limits.ts";
import { scheduleOverlapMigration } from "./0015-schedule-overlap.ts";
import { backfillsMigration } from "./0016-backfills.ts";
import { logsMigration } from "./0020-logs.ts";
import { artifactsMigration } from "./0021-artifacts.ts";
import { savedSearchesMigration } from "./0022-saved-searches.ts";
import { backgroundTasksMigration } from "./0030-background-tasks.ts";
import { waitingTaskRunEventsMigration } from "./0031-waiting-task-run-events.ts";
import { logsByArrivalMigration } from "./0032-logs-by-arrival.ts";
import { blocksMigration } from "./0033-blocks.ts";
import { automationsMigration } from "./0040-automations.ts";
import { deliveriesMigration } from "./0041-deliveries.ts";
import { webhooksMigration } from "./0042-webhooks.ts";
import { slasMigration } from "./0043-slas.ts";
import { workerCleanupsMigration } from "./0044-worker-cleanups.ts";
import { flowRunTalliesMigration } from "./0045-flow-run-tallies.ts";
import { flowRunHoursMigration } from "./0046-flow-run-hours.ts";
import { logsInOrderMigration } from "./0047-logs-in-order.ts";
import { runsByStateNameMigration } from "./0048-runs-by-state-name.ts";
import { flowRunChangesMigration } from "./0049-flow-run-changes.ts";
import { servedDeploymentsMigration } from "./0050-served-deployments.ts";
import { runLettersMigration } from "./0051-run-letters.ts";
import { runsByVersionMigration } from "./0052-runs-by-version.ts";
import { warningsMigration } from "./0053-warnings.ts";
import { earlierTransitionsMigration } from "./0054-earlier-transitions.ts";
import { scheduleLooksMigration } from "./0055-schedule-looks.ts";
import { actionsByAutomationMigration } from "./0056-actions-by-automation.ts";
import { artifactsByTypeMigration } from "./0057-artifacts-by-type.ts";
import { remoteTalliesMigration } from "./0058-remote-tallies.ts";
import { coarseTalliesMigration } from "./0059-coarse-tallies.ts";
import { everyTeardownMigration } from "./0060-every-teardown.ts";
import { heldEventsMigration } from "./0061-held-events.ts";
import { observedStatesMigration } from "./0069-observed-states.ts";
import { chainFiringsMigration } from "./0070-chain-firings.ts";
import { automationThrottlesMigration } from "./0071-automation-throttles.ts";
import { actionsByWorkspaceMigration } from "./0072-actions-by-workspace.ts";
import { dropFlowRunHoursMigration } from "./0073-drop-flow-run-hours.ts";
import { journalEntriesMigration } from "./0074-journal-entries.ts";
import { flowRunWaitsMigration } from "./0076-flow-run-waits.ts";
import { openWaitsByRunMigration } from "./0077-open-waits-by-run.ts";
import { concurrencyKeysMigration } from "./0078-concurrency-keys.ts";

export const orchestratorMigrations: MigrationList = {
  component: "orchestrator",
  migrations: [
    variablesMigration,
    csrfTokensMigration,
    workPoolsMigration,
    deploymentsMigration,
    flowRunsMigration,
    taskRunsMigration,
    concurrencyLimitsMigration,
    scheduleOverlapMigration,
    backfillsMigration,
    logsMigration,
    artifactsMigration,
    savedSearchesMigration,
    backgroundTasksMigration,
    waitingTaskRunEventsMigration,
    logsByArrivalMigration,
    blocksMigration,
    automationsMigration,
    deliveriesMigration,
    webhooksMigration,
    slasMigration,
    workerCleanupsMigration,
    flowRunTalliesMigration,
    flowRunHoursMigration,
    logsInOrderMigration,
    runsByStateNameMigration,
    flowRunChangesMigration,
    servedDeploymentsMigration,
    runLettersMigration,
    runsByVersionMigration,
    warningsMigration,
    earlierTransitionsMigration,
    scheduleLooksMigration,
    actionsByAutomationMigration,
    artifactsByTypeMigration,
    // Last of its time: it keeps others from writing runs, and whoever writes one may hold other
    // tables that a migration wants.
    remoteTalliesMigration,
    coarseTalliesMigration,
    everyTeardownMigration,
    heldEventsMigration,
    chainFiringsMigration,
    automationThrottlesMigration,
    actionsByWorkspaceMigration,
    observedStatesMigration,
    dropFlowRunHoursMigration,
    journalEntriesMigration,
    concurrencyKeysMigration,
    flowRunWaitsMigration,
    openWaitsByRunMigration,
  ],
};
