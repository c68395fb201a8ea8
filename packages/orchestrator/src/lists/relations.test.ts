import {
  DeploymentFilter,
  FlowRunFilter,
  TaskRunFilter,
  WorkPoolFilter,
  WorkQueueFilter,
} from "@orchestrator/contract";
import { type ListDefinition, listJson, type Relations } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import { describeFilterSchema, describeListFilter } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import {
  addDeployment,
  addFlow,
  addFlowRun,
  addLimit,
  addSchedule,
  addTakenSlot,
  addTaskRun,
  addWorkPool,
  addWorkQueue,
} from "../testing/run-fixtures.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../testing.ts";
import { DEPLOYMENT_LIST } from "./deployments.filter.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import { DEPLOYMENT_RELATIONS, FLOW_RUN_RELATIONS, TASK_RUN_RELATIONS } from "./relations.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";
import { WORK_POOLS, WORK_QUEUES } from "./work.filter.ts";

const at = (minute: number): string =>
  `2026-01-01T12:${String(minute).padStart(2, "0")}:00.000000Z`;
const NOW = at(59);
const [CREATOR, PARENT] = [
  "00000000-0000-4000-8000-0000000000aa",
  "00000000-0000-4000-8000-0000000000bb",
];

type Body = Readonly<Record<string, unknown>>;

/** The records that a body of the list's endpoint asks for. */
async function list<T>(
  api: TestApi,
  definition: ListDefinition,
  { own, relations, body }: { own: string; relations: Relations; body: Body },
): Promise<T[]> {
  const json = await listJson<T>(api.ctx.db.in(openScope("test").workspaceId), definition, {
    filter: body[own] as Body,
    related: body,
    relations,
    sort: body["sort"] as string,
    limit: 200,
    offset: 0,
    now: NOW,
  });
  return JSON.parse(json) as T[];
}

/** However few they are, they are looked for as if they were very many. */
async function withRuns(open: OpenTestApi) {
  const api = await open({ manyRows: 0 });
  const [etl, ml] = [
    await addFlow(api, { name: "etl", tags: ["f"] }),
    await addFlow(api, { name: "ml" }),
  ];
  const pool = await addWorkPool(api, { name: "gpu", type: "kubernetes" });
  const queue = await addWorkQueue(api, { work_pool_id: pool.id, name: "Fast" });
  const nightly = await addDeployment(api, {
    flow_id: etl.id,
    name: "nightly",
    tags: ["prod"],
    work_queue_id: queue.id,
    updated: at(2),
  });
  await addDeployment(api, { flow_id: ml.id, name: "train", paused: true, updated: at(1) });
  const first = await addFlowRun(api, {
    flow_id: etl.id,
    name: "first",
    deployment_id: nightly.id,
    work_queue_id: queue.id,
    tags: ["x", "y"],
    start_time: at(10),
    expected_start_time: at(5),
    end_time: at(11),
    created_by: { id: CREATOR, type: "SCHEDULE", display_value: null },
    created_by_id: CREATOR,
    created_by_type: "SCHEDULE",
    idempotency_key: "k1",
  });
  const step = await addTaskRun(api, {
    flow_run_id: first.id,
    name: "step",
    tags: ["t"],
    start_time: at(3),
  });
  await addTaskRun(api, {
    id: PARENT,
    flow_run_id: first.id,
    name: "dummy",
    state_type: "RUNNING",
    end_time: null,
  });
  await addTaskRun(api, { name: "alone", start_time: null });
  await addFlowRun(api, {
    flow_id: ml.id,
    name: "second",
    state_type: "SCHEDULED",
    start_time: null,
    expected_start_time: at(20),
    next_scheduled_start_time: at(20),
    end_time: null,
    tags: ["y"],
    flow_version: "v2",
    updated: at(1),
  });
  await addFlowRun(api, {
    flow_id: ml.id,
    name: "third",
    state_type: "FAILED",
    start_time: at(30),
    expected_start_time: at(30),
    end_time: at(31),
    parent_task_run_id: PARENT,
  });
  return {
    api,
    etl,
    nightly,
    first,
    step,
    queue,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachApi("lists of flow runs", (open) => {
  test("know every filter", async () => {
    await using t = await withRuns(open);
    const found: readonly (readonly [Body, string])[] = [
      [{ flow_runs: { id: { any_: [t.first.id] } } }, "first"],
      [{ flow_runs: { id: { not_any_: [t.first.id] } } }, "third second"],
      [{ flow_runs: { name: { like_: "IR" } } }, "third first"],
      [{ flow_runs: { tags: { all_: ["x", "y"] } } }, "first"],
      [{ flow_runs: { tags: { any_: ["x", "y"] } } }, "second first"],
      [{ flow_runs: { tags: { is_null_: true } } }, "third"],
      [{ flow_runs: { deployment_id: { any_: [t.nightly.id] } } }, "first"],
      [{ flow_runs: { deployment_id: { is_null_: true } } }, "third second"],
      [{ flow_runs: { flow_id: { any_: [t.etl.id] } } }, "first"],
      [{ flow_runs: { work_queue_name: { any_: ["Fast", "other"] } } }, "first"],
      [{ flow_runs: { work_queue_name: { is_null_: true } } }, "third second"],
      [
        { flow_runs: { work_queue_name: { any_: ["Fast"], is_null_: true, operator: "or_" } } },
        "third second first",
      ],
      [{ flow_runs: { state: { type: { any_: ["FAILED", "SCHEDULED"] } } } }, "third second"],
      [{ flow_runs: { state: { name: { not_any_: ["Failed"] } } } }, "second first"],
      [
        {
          flow_runs: {
            state: { type: { any_: ["FAILED"] }, name: { any_: ["Scheduled"] }, operator: "or_" },
          },
        },
        "third second",
      ],
      [{ flow_runs: { flow_version: { any_: ["v2"] } } }, "second"],
      [{ flow_runs: { start_time: { before_: at(20), after_: at(10) } } }, "second first"],
      [{ flow_runs: { start_time: { is_null_: true } } }, "second"],
      [{ flow_runs: { end_time: { after_: at(11), before_: at(30) } } }, "first"],
      [{ flow_runs: { end_time: { is_null_: true } } }, "second"],
      [{ flow_runs: { expected_start_time: { before_: at(5) } } }, "first"],
      [{ flow_runs: { next_scheduled_start_time: { before_: at(20) } } }, "second"],
      [{ flow_runs: { parent_flow_run_id: { any_: [t.first.id] } } }, "third"],
      [{ flow_runs: { parent_task_run_id: { any_: [PARENT] } } }, "third"],
      [{ flow_runs: { parent_task_run_id: { is_null_: true } } }, "second first"],
      [{ flow_runs: { idempotency_key: { any_: ["k1"] } } }, "first"],
      [{ flow_runs: { created_by: { id_: [CREATOR] } } }, "first"],
      [{ flow_runs: { created_by: { type_: ["SCHEDULE", "USER"] } } }, "first"],
      [{ flow_runs: { created_by: { is_null_: true } } }, "third second"],
      [
        { flow_runs: { created_by: { type_: ["USER"], is_null_: true, operator: "or_" } } },
        "third second",
      ],
      [{ flows: { name: { any_: ["ml"] } } }, "third second"],
      [{ flows: { tags: { all_: ["f"] } }, flow_runs: { tags: { any_: ["y"] } } }, "first"],
      [{ task_runs: { name: { any_: ["step"] } } }, "first"],
      [{ deployments: { name: { any_: ["nightly"] } } }, "first"],
      [{ deployments: { work_queue_name: { any_: ["Fast"] } } }, "first"],
      [{ work_pools: { name: { any_: ["gpu"] } } }, "first"],
      [{ work_pools: { type: { any_: ["process"] } } }, ""],
      [{ work_pool_queues: { name: { startswith_: ["fa"] } } }, "first"],
      [
        { work_queues: { id: { any_: [t.queue.id] } }, work_pools: { name: { any_: ["gpu"] } } },
        "first",
      ],
    ];
    const relations = FLOW_RUN_RELATIONS;
    for (const [body, names] of found) {
      const runs = await list<{ name: string }>(t.api, FLOW_RUN_LIST, {
        own: "flow_runs",
        relations,
        body,
      });
      expect([body, runs.map(({ name }) => name).join(" ")]).toEqual([body, names]);
    }
  });

  test("know every order", async () => {
    await using t = await withRuns(open);
    const sorted: Readonly<Record<string, string>> = {
      ID_DESC: "third second first",
      CREATED_DESC: "third second first",
      START_TIME_ASC: "first second third",
      START_TIME_DESC: "third second first",
      EXPECTED_START_TIME_ASC: "first second third",
      EXPECTED_START_TIME_DESC: "third second first",
      NAME_ASC: "first second third",
      NAME_DESC: "third second first",
      NEXT_SCHEDULED_START_TIME_ASC: "second first third",
      END_TIME_DESC: "second third first",
      UPDATED_DESC: "second third first",
    };
    for (const [sort, names] of Object.entries(sorted)) {
      const request = { own: "flow_runs", relations: {}, body: { sort } };
      const runs = await list<{ name: string }>(t.api, FLOW_RUN_LIST, request);
      expect([sort, runs.map(({ name }) => name).join(" ")]).toEqual([sort, names]);
    }
    expect(Object.keys(sorted).toSorted()).toEqual(Object.keys(FLOW_RUN_LIST.sorts).toSorted());
  });
});

describeEachApi("lists of task runs", (open) => {
  test("know every filter", async () => {
    await using t = await withRuns(open);
    const found: readonly (readonly [Body, string])[] = [
      [{}, "alone dummy step"],
      [{ task_runs: { id: { any_: [t.step.id] } } }, "step"],
      [{ task_runs: { name: { like_: "ST" } } }, "step"],
      [{ task_runs: { tags: { all_: ["t"] } } }, "step"],
      [{ task_runs: { tags: { is_null_: true } } }, "alone dummy"],
      [{ task_runs: { state: { type: { any_: ["RUNNING"] } } } }, "dummy"],
      [{ task_runs: { state: { name: { any_: ["Completed"] } } } }, "alone step"],
      [{ task_runs: { start_time: { after_: at(3) } } }, "step"],
      [{ task_runs: { start_time: { is_null_: true } } }, "alone"],
      [{ task_runs: { end_time: { is_null_: true } } }, "dummy"],
      [{ task_runs: { subflow_runs: { exists_: true } } }, "dummy"],
      [{ task_runs: { subflow_runs: { exists_: false } } }, "alone step"],
      [{ task_runs: { flow_run_id: { any_: [t.first.id] } } }, "dummy step"],
      [{ task_runs: { flow_run_id: { is_null_: true } } }, "alone"],
      [{ task_runs: { flow_run_id: {} } }, "dummy step"],
      [{ flows: { name: { any_: ["etl"] } } }, "dummy step"],
      [{ flow_runs: { name: { any_: ["second"] } } }, ""],
      [
        { deployments: { name: { any_: ["nightly"] } }, task_runs: { name: { any_: ["step"] } } },
        "step",
      ],
      [{ work_pools: { name: { any_: ["gpu"] } } }, "dummy step"],
    ];
    const relations = TASK_RUN_RELATIONS;
    for (const [body, names] of found) {
      const runs = await list<{ name: string }>(t.api, TASK_RUN_LIST, {
        own: "task_runs",
        relations,
        body,
      });
      const sorted = runs.map(({ name }) => name).toSorted();
      expect([body, sorted.join(" ")]).toEqual([body, names]);
    }
  });
});

describeEachApi("lists of deployments", (open) => {
  const names = async (api: TestApi, body: Body): Promise<string> => {
    const request = { own: "deployments", relations: DEPLOYMENT_RELATIONS, body };
    const found = await list<{ name: string }>(api, DEPLOYMENT_LIST, request);
    return found.map(({ name }) => name).join(" ");
  };

  test("know every filter and order", async () => {
    await using t = await withRuns(open);
    const found: readonly (readonly [Body, string])[] = [
      [{ sort: "NAME_DESC" }, "train nightly"],
      [{ sort: "UPDATED_DESC" }, "nightly train"],
      [{ sort: "CREATED_DESC" }, "train nightly"],
      [{ deployments: { id: { not_any_: [t.nightly.id] } } }, "train"],
      [{ deployments: { name: { like_: "NIGHT" } } }, "nightly"],
      [{ deployments: { flow_or_deployment_name: { like_: "ML" } } }, "train"],
      [{ deployments: { flow_or_deployment_name: { like_: "Night" } } }, "nightly"],
      [{ deployments: { flow_or_deployment_name: { like_: "t" } } }, "nightly train"],
      [{ deployments: { paused: { eq_: true } } }, "train"],
      [{ deployments: { tags: { all_: ["prod"] } } }, "nightly"],
      [{ deployments: { flow_id: { any_: [t.etl.id] } } }, "nightly"],
      [{ deployments: { work_pool_name: { any_: ["gpu", "cpu"] } } }, "nightly"],
      [{ deployments: { work_pool_name: { any_: ["cpu"] } } }, ""],
      [{ deployments: { work_queue_name: { any_: ["Fast"] } } }, "nightly"],
      [{ deployments: { concurrency_limit: { ge_: 5 } } }, "nightly train"],
      [{ flows: { name: { any_: ["ml"] } } }, "train"],
      [{ flow_runs: { name: { any_: ["first"] } } }, "nightly"],
      [{ task_runs: { name: { any_: ["step"] } } }, "nightly"],
      [{ task_runs: { name: { any_: ["step"] } }, flow_runs: { name: { any_: ["second"] } } }, ""],
      [{ work_pools: { name: { any_: ["gpu"] } } }, "nightly"],
      [{ work_pool_queues: { name: { any_: ["Fast"] } } }, "nightly"],
    ];
    for (const [body, expected] of found) {
      expect([body, await names(t.api, body)]).toEqual([body, expected]);
    }
  });

  test("show the schedules, the newest first, and what the queue and the pool are called", async () => {
    await using t = await withRuns(open);
    const deployment_id = t.nightly.id;
    const old = await addSchedule(t.api, { deployment_id, slug: "old", updated: at(1) });
    await addSchedule(t.api, { deployment_id, slug: "off", active: false, updated: at(2) });
    await addSchedule(t.api, { deployment_id, schedule: { interval: 60 }, updated: at(3) });
    const [nightly, train] = await list<Body>(t.api, DEPLOYMENT_LIST, {
      own: "deployments",
      relations: {},
      body: {},
    });
    expect(nightly).toMatchObject({
      work_queue_name: "Fast",
      work_pool_name: "gpu",
      schedule: { interval: 60 },
      schedules: [{ slug: null }, { slug: "off", active: false }, { id: old.id, active: true }],
      concurrency_limit: null,
      global_concurrency_limit: null,
      created_by: null,
    });
    expect(train).toMatchObject({
      work_queue_name: null,
      schedule: null,
      schedules: [],
      paused: true,
    });
  });

  test("show the limit with the slots that are in use at the moment", async () => {
    await using t = await withRuns(open);
    const limit = await addLimit(t.api, { name: "shared", slot_limit: 3 });
    await addTakenSlot(t.api, { limit_id: limit.id, holder_id: t.first.id });
    await addTakenSlot(t.api, { limit_id: limit.id, expires: at(58) });
    await addDeployment(t.api, { flow_id: t.etl.id, name: "a", concurrency_limit_id: limit.id });
    const [limited] = await list<Body>(t.api, DEPLOYMENT_LIST, {
      own: "deployments",
      relations: {},
      body: {},
    });
    expect(limited?.["global_concurrency_limit"]).toMatchObject({
      id: limit.id,
      name: "shared",
      limit: 3,
      active: true,
      active_slots: 1,
      slot_decay_per_second: 0,
    });
  });
});

test.each([
  ["flow runs", FLOW_RUN_LIST, FlowRunFilter],
  ["task runs", TASK_RUN_LIST, TaskRunFilter],
  ["work pools", WORK_POOLS, WorkPoolFilter],
  ["work queues", WORK_QUEUES, WorkQueueFilter],
])("the contract and the list of %s know the same attributes and operators", (_, known, schema) => {
  expect(describeListFilter(known)).toEqual(describeFilterSchema(schema));
});

test("the list of deployments knows all that the contract does but the limit, which restricts nothing", () => {
  const { concurrency_limit: _, ...offered } = describeFilterSchema(DeploymentFilter);
  expect(describeListFilter(DEPLOYMENT_LIST)).toEqual(offered);
});
