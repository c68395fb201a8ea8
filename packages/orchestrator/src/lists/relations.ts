// How the resources around a run hang together: what a list may ask of the others. Names are the
// keys of the bodies.

import type { Relation, Relations } from "@orchestrator/kernel/lists";
import { DEPLOYMENT_LIST } from "./deployments.filter.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import { FLOW_LIST } from "./flows.filter.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";
import { WORK_POOLS, WORK_QUEUES } from "./work.filter.ts";

/** Of a row with the column `flow_id` and so on: the one row that it names. */
const itsFlow: Relation = { to: FLOW_LIST, column: "flow_id" };
const itsDeployment: Relation = { to: DEPLOYMENT_LIST, column: "deployment_id" };

/** A queue goes by two names. The pool is the pool of the queue. */
const itsQueue: Relations = {
  work_pool_queues: {
    to: WORK_QUEUES,
    column: "work_queue_id",
    relations: { work_pools: { to: WORK_POOLS, column: "work_pool_id" } },
  },
  work_queues: { to: WORK_QUEUES, column: "work_queue_id" },
};

const itsTaskRuns: Relations = { task_runs: { to: TASK_RUN_LIST, theirColumn: "flow_run_id" } };

export const FLOW_RELATIONS: Relations = {
  flow_runs: { to: FLOW_RUN_LIST, theirColumn: "flow_id", relations: itsTaskRuns },
  deployments: { to: DEPLOYMENT_LIST, theirColumn: "flow_id", relations: itsQueue },
};

export const FLOW_RUN_RELATIONS: Relations = {
  flows: itsFlow,
  deployments: itsDeployment,
  ...itsTaskRuns,
  ...itsQueue,
};

export const DEPLOYMENT_RELATIONS: Relations = {
  flows: itsFlow,
  flow_runs: { to: FLOW_RUN_LIST, theirColumn: "deployment_id", relations: itsTaskRuns },
  ...itsQueue,
};

const itsFlowRun: Relation = {
  to: FLOW_RUN_LIST,
  column: "flow_run_id",
  relations: { flows: itsFlow, deployments: itsDeployment },
};

export const TASK_RUN_RELATIONS: Relations = {
  flow_runs: {
    ...itsFlowRun,
    relations: { ...itsFlowRun.relations, ...itsQueue },
  },
};

/** Of artifacts, and of the newest artifacts of each key. */
export const ARTIFACT_RELATIONS: Relations = {
  flow_runs: itsFlowRun,
  task_runs: { to: TASK_RUN_LIST, column: "task_run_id" },
};
