import type { FlowRunSort } from "@orchestrator/contract";
import type { Attributes, ListDefinition } from "@orchestrator/kernel/lists";
import { FLOW_RUNS } from "../db/tables/flow-runs.table.ts";
import { FLOW_RUN_NAME_TRIGRAMS } from "../db/trigram-indexes.ts";
import { formsOf, runKey, runName, stateName } from "../texts/run-texts.ts";

const BY_STATE: Attributes = {
  state: {
    group: {
      type: { column: "state_type", kind: "text", operators: ["any_"] },
      name: { column: "state_name", kind: "text", stored: formsOf(stateName), operators: ["any_"] },
    },
  },
};

const BY_EXPECTED_START = { order: "expected_start_time" };

export const FLOW_RUN_LIST: ListDefinition<FlowRunSort> = {
  table: "flow_runs",
  fields: FLOW_RUNS.fields,
  filter: {
    id: { column: "id", kind: "id", isNarrow: true, operators: ["any_", "not_any_"] },
    name: {
      column: "name",
      kind: "text",
      isRare: true,
      stored: formsOf(runName),
      letterIndex: FLOW_RUN_NAME_TRIGRAMS.name,
      operators: ["any_", "like_"],
    },
    tags: {
      column: "tags",
      kind: "tags",
      tagIndex: { table: "flow_run_tags", order: "expected_start_time" },
      operators: ["all_", "any_", "is_null_"],
    },
    deployment_id: { column: "deployment_id", kind: "id", operators: ["any_", "is_null_"] },
    flow_id: { column: "flow_id", kind: "id", operators: ["any_"] },
    work_queue_name: {
      group: {
        any_: {
          through: { table: "work_queues", column: "work_queue_id" },
          column: "name",
          kind: "text",
          meaning: "any_",
        },
        is_null_: { column: "work_queue_id", kind: "id", meaning: "is_null_" },
      },
    },
    state: {
      group: {
        type: { column: "state_type", kind: "text", operators: ["any_", "not_any_"] },
        name: {
          column: "state_name",
          kind: "text",
          stored: formsOf(stateName),
          operators: ["any_", "not_any_"],
        },
      },
    },
    flow_version: {
      column: "flow_version",
      kind: "text",
      valueIndex: BY_EXPECTED_START,
      stored: formsOf(runKey),
      operators: ["any_"],
    },
    start_time: {
      group: {
        before_: { column: "effective_start_time", kind: "time", meaning: "before_" },
        after_: { column: "effective_start_time", kind: "time", meaning: "after_" },
        is_null_: { column: "start_time", kind: "time", meaning: "is_null_" },
      },
    },
    end_time: { column: "end_time", kind: "time", operators: ["before_", "after_", "is_null_"] },
    expected_start_time: {
      column: "expected_start_time",
      kind: "time",
      operators: ["before_", "after_"],
    },
    next_scheduled_start_time: {
      column: "next_scheduled_start_time",
      kind: "time",
      operators: ["before_", "after_"],
    },
    parent_flow_run_id: {
      through: { table: "task_runs", column: "parent_task_run_id" },
      column: "flow_run_id",
      kind: "id",
      operators: ["any_"],
    },
    parent_task_run_id: {
      column: "parent_task_run_id",
      kind: "id",
      operators: ["any_", "is_null_"],
    },
    idempotency_key: {
      column: "idempotency_key",
      kind: "text",
      isRare: true,
      stored: formsOf(runKey),
      operators: ["any_", "not_any_"],
    },
    created_by: {
      group: {
        id_: { column: "created_by_id", kind: "id", meaning: "any_" },
        type_: {
          column: "created_by_type",
          kind: "text",
          valueIndex: BY_EXPECTED_START,
          meaning: "any_",
        },
        is_null_: { column: "created_by", kind: "json", meaning: "is_null_" },
      },
    },
  },
  sorts: {
    ID_DESC: ["id desc"],
    START_TIME_ASC: ["effective_start_time asc"],
    START_TIME_DESC: ["effective_start_time desc"],
    EXPECTED_START_TIME_ASC: ["expected_start_time asc"],
    EXPECTED_START_TIME_DESC: ["expected_start_time desc"],
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    NEXT_SCHEDULED_START_TIME_ASC: ["next_scheduled_start_time asc"],
    END_TIME_DESC: ["end_time desc"],
    // Ids count up with the time they are made at, and they have an index.
    CREATED_DESC: ["id desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "ID_DESC",
  isLarge: true,
  isVast: true,
  tally: {
    table: "flow_run_tallies",
    filter: BY_STATE,
    count: "runs",
    isWhole: "minute = ''",
    found: "state_type",
  },
};
