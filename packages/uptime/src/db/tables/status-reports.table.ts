import type { ReportUpdate, StatusReport } from "@orchestrator/contract";
import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `updates` is JSON text, the latest first. */
export interface StatusReportRow {
  readonly id: string;
  readonly page_id: string;
  readonly incident_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly resolved_at: string | null;
  readonly title: string;
  readonly impact: StatusReport["impact"];
  readonly state: StatusReport["state"];
  readonly updates: string;
}

/** The record on the wire, in this order. */
export const STATUS_REPORT_FIELDS = {
  id: "id",
  page_id: "id",
  incident_id: "id",
  title: "text",
  impact: "text",
  state: "text",
  created_at: "time",
  updated_at: "time",
  resolved_at: "time",
  updates: "json",
} as const satisfies Fields;

export const updatesOf = ({ updates }: Pick<StatusReportRow, "updates">): readonly ReportUpdate[] =>
  JSON.parse(updates) as readonly ReportUpdate[];
