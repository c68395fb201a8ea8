import type { Filterable } from "@orchestrator/kernel/lists";
import {
  arraySql,
  type ComputedField,
  type Fields,
  recordText,
} from "@orchestrator/kernel/storage";
import { MONITOR_FIELDS } from "../../db/tables/monitors.table.ts";
import { MONITOR_LIST } from "../../monitors/monitors.filter.ts";

const STATE = "case when not $.enabled then 'paused' else coalesce($.last_status, 'unknown') end";

export const OVERVIEW: Filterable = {
  table: "monitors",
  filter: {
    ...MONITOR_LIST.filter,
    id: { column: "id", kind: "id", operators: ["any_"] },
    state: { expression: STATE, kind: "text", operators: ["any_"] },
  },
};

/** The state of a row of the table. */
export const STATE_SQL: string = STATE.replaceAll("$.", '"monitors".');

const RESULT_FIELDS = {
  id: "id",
  status: "text",
  message: {
    kind: "text",
    expression: ({ text }) => text("case when $.status <> 'up' then $.message end"),
  },
  elapsed_ms: "real",
  checked_at: "time",
  inconclusive: "flag",
  maintenance: "flag",
} as const satisfies Fields;

/**
 * The last results of a monitor, found by their index however many there are; none from a clock
 * that was ahead.
 */
const results = (count: number): ComputedField => ({
  kind: "json",
  expression: ({ dialect, text }) => {
    const record = recordText(dialect, { fields: RESULT_FIELDS, table: "check_results" });
    const rows = `select ${record} as record from check_results where check_results.workspace_id = $.workspace_id and check_results.monitor_id = $.id and check_results.checked_at <= $.last_check order by checked_at desc, id desc limit ${count}`;
    return text(arraySql(dialect, rows));
  },
});

export const overviewFields = (count: number): Fields => ({
  ...MONITOR_FIELDS,
  results: results(count),
});
