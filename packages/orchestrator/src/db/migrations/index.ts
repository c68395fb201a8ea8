import type { MigrationList } from "@orchestrator/kernel/storage";
import { variables } from "./0001-variables.ts";
import { csrfTokens } from "./0002-csrf-tokens.ts";
import { workPools } from "./0010-work-pools.ts";
import { deployments } from "./0011-deployments.ts";
import { flowRuns } from "./0012-flow-runs.ts";
import { taskRuns } from "./0013-task-runs.ts";
import { concurrencyLimits } from "./0014-concurrency-limits.ts";
import { scheduleOverlap } from "./0015-schedule-overlap.ts";
import { backfills } from "./0016-backfills.ts";
import { logs } from "./0020-logs.ts";
import { artifacts } from "./0021-artifacts.ts";
import { savedSearches } from "./0022-saved-searches.ts";
import { backgroundTasks } from "./0030-background-tasks.ts";
import { waitingTaskRunEvents } from "./0031-waiting-task-run-events.ts";
import { logsByArrival } from "./0032-logs-by-arrival.ts";
import { blocks } from "./0033-blocks.ts";
import { automations } from "./0040-automations.ts";
import { deliveries } from "./0041-deliveries.ts";
import { webhooks } from "./0042-webhooks.ts";
import { slas } from "./0043-slas.ts";
import { workerCleanups } from "./0044-worker-cleanups.ts";
import { flowRunTallies } from "./0045-flow-run-tallies.ts";
import { flowRunHours } from "./0046-flow-run-hours.ts";
import { logsInOrder } from "./0047-logs-in-order.ts";
import { runsByStateName } from "./0048-runs-by-state-name.ts";
import { flowRunChanges } from "./0049-flow-run-changes.ts";
import { servedDeployments } from "./0050-served-deployments.ts";
import { runLetters } from "./0051-run-letters.ts";
import { runsByVersion } from "./0052-runs-by-version.ts";
import { warnings } from "./0053-warnings.ts";
import { earlierTransitions } from "./0054-earlier-transitions.ts";
import { scheduleLooks } from "./0055-schedule-looks.ts";
import { actionsByAutomation } from "./0056-actions-by-automation.ts";
import { artifactsByType } from "./0057-artifacts-by-type.ts";
import { remoteTallies } from "./0058-remote-tallies.ts";
import { coarseTallies } from "./0059-coarse-tallies.ts";
import { everyTeardown } from "./0060-every-teardown.ts";
import { heldEvents } from "./0061-held-events.ts";
import { observedStates } from "./0069-observed-states.ts";
import { chainFirings } from "./0070-chain-firings.ts";
import { automationThrottles } from "./0071-automation-throttles.ts";
import { actionsByWorkspace } from "./0072-actions-by-workspace.ts";
import { dropFlowRunHours } from "./0073-drop-flow-run-hours.ts";
import { journalEntries } from "./0074-journal-entries.ts";

export const orchestratorMigrations: MigrationList = {
  component: "orchestrator",
  migrations: [
    variables,
    csrfTokens,
    workPools,
    deployments,
    flowRuns,
    taskRuns,
    concurrencyLimits,
    scheduleOverlap,
    backfills,
    logs,
    artifacts,
    savedSearches,
    backgroundTasks,
    waitingTaskRunEvents,
    logsByArrival,
    blocks,
    automations,
    deliveries,
    webhooks,
    slas,
    workerCleanups,
    flowRunTallies,
    flowRunHours,
    logsInOrder,
    runsByStateName,
    flowRunChanges,
    servedDeployments,
    runLetters,
    runsByVersion,
    warnings,
    earlierTransitions,
    scheduleLooks,
    actionsByAutomation,
    artifactsByType,
    // Last of its time: it keeps others from writing runs, and whoever writes one may hold other tables that a migration wants.
    remoteTallies,
    coarseTallies,
    everyTeardown,
    heldEvents,
    chainFirings,
    automationThrottles,
    actionsByWorkspace,
    observedStates,
    dropFlowRunHours,
    journalEntries,
  ],
};
