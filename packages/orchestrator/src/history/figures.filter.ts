import type { FlowRunSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { ESTIMATED_RUN_TIME, ESTIMATED_START_TIME_DELTA } from "../db/tables/flow-runs.table.ts";
import { FLOW_RUN_LIST } from "../lists/flow-runs.filter.ts";

/** Flow runs as points of a chart. */
export const FLOW_RUN_POINTS: ListDefinition<FlowRunSort> = {
  ...FLOW_RUN_LIST,
  fields: {
    id: "id",
    state_type: "text",
    timestamp: { kind: "time", expression: ({ text }) => text("$.effective_start_time") },
    duration: ESTIMATED_RUN_TIME,
    lateness: ESTIMATED_START_TIME_DELTA,
  },
  defaultSort: "EXPECTED_START_TIME_DESC",
};

/** Flow runs as they are shown where few of them are looked at. */
export const TROUBLED_RUNS: ListDefinition<FlowRunSort> = {
  ...FLOW_RUN_LIST,
  fields: {
    id: "id",
    name: "text",
    flow_id: "id",
    flow_name: {
      kind: "text",
      expression: ({ text }) => text("select own.name from flows own where own.id = $.flow_id"),
    },
    state_type: "text",
    state_name: "text",
    expected_start_time: "time",
    start_time: "time",
  },
};
