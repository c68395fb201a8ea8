import type { ComputedField, Fields } from "@orchestrator/kernel/storage";
import { sql } from "kysely";

const TIME_IN_CURRENT_STATE: ComputedField = {
  kind: "real",
  expression: ({ dialect, column: of, now }) =>
    dialect.greatest(sql`0`, dialect.secondsBetween(of("state_timestamp"), now)),
};

/** A run that takes up a place, in the order of the wire. */
export const FLOW_RUN_SLOT_FIELDS = {
  id: "id",
  name: "text",
  state_type: "text",
  state_name: "text",
  start_time: "time",
  state_timestamp: "time",
  time_in_current_state: TIME_IN_CURRENT_STATE,
} as const satisfies Fields;
