// The bodies of lists, counts and pages of flows, deployments and runs. Each may ask for conditions
// on the resources around it.

import { Type } from "typebox";
import {
  Flag,
  Int,
  Limit,
  NamedParameters,
  Num,
  Offset,
  Page,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { BulkLimit, WaitSeconds } from "./common.ts";
import { DEPLOYMENT_SORTS, DeploymentFilter } from "./deployments.ts";
import { FLOW_RUN_SORTS, FlowRunFilter } from "./flow-runs.ts";
import { FLOW_SORTS, FlowFilter } from "./flows.ts";
import { StateCreate } from "./states.ts";
import { TASK_RUN_SORTS, TaskRunFilter } from "./task-runs.ts";
import { WorkPoolFilter, WorkQueueFilter } from "./work-filters.ts";

const related = {
  flows: Type.Optional(FlowFilter),
  flow_runs: Type.Optional(FlowRunFilter),
  task_runs: Type.Optional(TaskRunFilter),
  deployments: Type.Optional(DeploymentFilter),
  work_pools: Type.Optional(WorkPoolFilter),
  work_pool_queues: Type.Optional(WorkQueueFilter),
  work_queues: Type.Optional(WorkQueueFilter),
} as const;

const counted = (ownFilter: keyof typeof related) => NamedParameters(related, { ownFilter });

const listed = <const Sort extends string>(
  ownFilter: keyof typeof related,
  sorts: readonly Sort[],
) =>
  NamedParameters(
    { ...related, sort: Type.Optional(StringEnum(sorts)), limit: Limit(), offset: Offset() },
    { ownFilter },
  );

const paged = <const Sort extends string>(
  ownFilter: keyof typeof related,
  sorts: readonly Sort[],
) =>
  NamedParameters(
    { ...related, sort: Type.Optional(StringEnum(sorts)), limit: Limit(), page: Page() },
    { ownFilter },
  );

const MIN_INTERVAL_SECONDS = 1;
const MAX_INTERVAL_SECONDS = 10 * 366 * 86_400;

const history = (ownFilter: keyof typeof related) =>
  NamedParameters(
    {
      ...related,
      history_start: Timestamp(),
      history_end: Timestamp(),
      history_interval_seconds: Num({
        minimum: MIN_INTERVAL_SECONDS,
        maximum: MAX_INTERVAL_SECONDS,
      }),
    },
    { ownFilter },
  );

export const FlowCount = counted("flows");
export const FlowList = listed("flows", FLOW_SORTS);
export const FlowPages = paged("flows", FLOW_SORTS);
export const FlowBulkDelete = NamedParameters(
  { flows: related.flows, limit: BulkLimit() },
  { ownFilter: "flows" },
);

export const DeploymentCount = counted("deployments");
export const DeploymentList = listed("deployments", DEPLOYMENT_SORTS);
export const DeploymentPages = paged("deployments", DEPLOYMENT_SORTS);
export const DeploymentBulkDelete = NamedParameters(
  { deployments: related.deployments, limit: BulkLimit() },
  { ownFilter: "deployments" },
);

export const FlowRunCount = counted("flow_runs");
export const FlowRunList = listed("flow_runs", FLOW_RUN_SORTS);
export const FlowRunPages = paged("flow_runs", FLOW_RUN_SORTS);
export const FlowRunHistory = history("flow_runs");
export const FlowRunBulkDelete = NamedParameters(
  { flow_runs: related.flow_runs, limit: BulkLimit() },
  { ownFilter: "flow_runs" },
);
export const FlowRunBulkSetState = NamedParameters(
  {
    flow_runs: related.flow_runs,
    state: StateCreate,
    force: Type.Optional(Flag({ default: false })),
    limit: BulkLimit(),
  },
  { ownFilter: "flow_runs" },
);

export const TaskRunCount = counted("task_runs");
export const TaskRunList = listed("task_runs", TASK_RUN_SORTS);
export const TaskRunPages = paged("task_runs", TASK_RUN_SORTS);
export const TaskRunHistory = history("task_runs");

const MAX_POLLED = 200;

/** Which runs of some deployments are due. */
export const DeploymentPoll = NamedParameters({
  deployment_ids: Type.Array(Uuid(), { maxItems: 1000 }),
  scheduled_before: Type.Optional(Timestamp()),
  limit: Type.Optional(Int({ minimum: 1, maximum: MAX_POLLED, default: MAX_POLLED })),
  wait_seconds: WaitSeconds(),
});
