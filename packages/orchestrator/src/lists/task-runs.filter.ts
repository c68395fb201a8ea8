import type { TaskRunSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { TASK_RUNS } from "../db/tables/task-runs.table.ts";
import { TASK_RUN_NAME_TRIGRAMS } from "../db/trigram-indexes.ts";
import { formsOf, runName, runTag, stateName } from "../texts/run-texts.ts";

/** The task runs that are in the others are few, and they have an index. */
const USUAL_STATE_NAMES = ["Scheduled", "Pending", "Running", "Completed"];

export const TASK_RUN_LIST: ListDefinition<TaskRunSort> = {
  table: "task_runs",
  fields: TASK_RUNS.fields,
  filter: {
    id: { column: "id", kind: "id", isNarrow: true, operators: ["any_"] },
    name: {
      column: "name",
      kind: "text",
      isRare: true,
      stored: formsOf(runName),
      letterIndex: TASK_RUN_NAME_TRIGRAMS.name,
      operators: ["any_", "like_"],
    },
    tags: {
      column: "tags",
      kind: "tags",
      tagIndex: { table: "task_run_tags", order: "expected_start_time" },
      stored: (tag) => [runTag(tag)],
      operators: ["all_", "is_null_"],
    },
    state: {
      group: {
        type: { column: "state_type", kind: "text", operators: ["any_"] },
        name: {
          column: "state_name",
          kind: "text",
          valueIndex: { order: "expected_start_time", without: USUAL_STATE_NAMES },
          stored: formsOf(stateName),
          operators: ["any_"],
        },
      },
    },
    start_time: {
      column: "start_time",
      kind: "time",
      operators: ["before_", "after_", "is_null_"],
    },
    end_time: { column: "end_time", kind: "time", operators: ["before_", "after_", "is_null_"] },
    expected_start_time: {
      column: "expected_start_time",
      kind: "time",
      operators: ["before_", "after_"],
    },
    subflow_runs: {
      expression:
        "select 1 from flow_runs subflow where subflow.workspace_id = $.workspace_id and subflow.parent_task_run_id = $.id limit 1",
      kind: "integer",
      operators: ["exists_"],
    },
    flow_run_id: {
      column: "flow_run_id",
      kind: "id",
      isNarrow: true,
      operators: ["any_", "is_null_"],
      whenEmpty: { is_null_: false },
    },
  },
  sorts: {
    ID_DESC: ["id desc"],
    EXPECTED_START_TIME_ASC: ["expected_start_time asc"],
    EXPECTED_START_TIME_DESC: ["expected_start_time desc"],
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    NEXT_SCHEDULED_START_TIME_ASC: ["next_scheduled_start_time asc"],
    END_TIME_DESC: ["end_time desc"],
    DURATION_DESC: ["total_run_time desc", "expected_start_time desc"],
    DURATION_ASC: ["total_run_time asc", "expected_start_time desc"],
    // Ids count up with the time they are made at, and they have an index.
    CREATED_DESC: ["id desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "ID_DESC",
  slowSorts: ["DURATION_DESC", "DURATION_ASC"],
  isLarge: true,
  isVast: true,
};
