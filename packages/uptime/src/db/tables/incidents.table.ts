import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

export type IncidentEnd = "recovered" | "paused" | "deleted";

export interface IncidentRow {
  readonly id: string;
  readonly monitor_id: string;
  /** The worst while it lasted. */
  readonly status: "degraded" | "down";
  /** The message of the result that confirmed it. */
  readonly cause: string;
  readonly result_id: string;
  /** When the first of the results that confirmed it was measured. */
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly ended_by: IncidentEnd | null;
  /** The parent that was down when it began. */
  readonly caused_by: string | null;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly note: string | null;
}

/** What a confirmed change of status makes of the incident. */
export type IncidentChange =
  | ({ readonly kind: "opens" } & Pick<
      IncidentRow,
      "id" | "monitor_id" | "status" | "cause" | "result_id" | "started_at" | "caused_by"
    >)
  | { readonly kind: "worsens"; readonly id: string }
  | { readonly kind: "ends"; readonly id: string; readonly ended_at: string };

const duration: ComputedField = {
  kind: "real",
  expression: ({ dialect, text }) =>
    // From whole microseconds: the difference of two times in seconds is not quite what was meant.
    text(
      `case when $.ended_at is not null then cast(${dialect.micros("$.ended_at")} - ${dialect.micros("$.started_at")} as double precision) / 1000000 end`,
    ),
};

/** The record on the wire, in this order. */
export const INCIDENT_FIELDS = {
  id: "id",
  monitor_id: "id",
  status: "text",
  cause: "text",
  started_at: "time",
  ended_at: "time",
  duration_seconds: duration,
  ended_by: "text",
  caused_by: "id",
  acknowledged_at: "time",
  acknowledged_by: "text",
  note: "text",
} as const satisfies Fields;
