import type { SlaKind } from "@orchestrator/contract";
import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

export interface SlaRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly deployment_id: string;
  readonly name: string;
  readonly kind: SlaKind;
  readonly seconds: number;
  readonly severity: string;
  readonly enabled: boolean;
  /** For freshness what it counts from; otherwise since when runs are under it. */
  readonly since: string | null;
  /** When to look at the deployment next, null when its runs' events say enough. The same as `since` before the first look. */
  readonly due: string | null;
  /** For freshness: since when it is violated, and the event that told so. */
  readonly violated: string | null;
  readonly violation_id: string | null;
  readonly violations: number;
  readonly last_violated: string | null;
  readonly last_violated_flow_run_id: string | null;
  readonly last_restored: string | null;
}

/** A run under an SLA: until its bound passes (`due`), and while it is violated. */
export interface SlaWatchRow {
  readonly sla_id: string;
  readonly flow_run_id: string;
  /** What the bound counts from. */
  readonly since: string;
  readonly due: string | null;
  readonly violated: string | null;
  /** The event that told of the violation. */
  readonly violation_id: string | null;
}

const OPEN =
  "(select count(*) from sla_watches where sla_watches.sla_id = $.id and sla_watches.violated is not null)";

/** Also what lists filter by. */
export const SLA_STATUS =
  "case when not $.enabled then 'DISABLED' when $.violated is not null or exists (select 1 from sla_watches where sla_watches.sla_id = $.id and sla_watches.violated is not null) then 'VIOLATED' else 'OK' end";

const STATUS: ComputedField = { kind: "text", expression: () => SLA_STATUS };
const OPEN_VIOLATIONS: ComputedField = {
  kind: "integer",
  expression: () => `${OPEN} + case when $.violated is null then 0 else 1 end`,
};

/** The record on the wire, in this order. */
export const SLA_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  deployment_id: "id",
  name: "text",
  kind: "text",
  seconds: "real",
  severity: "text",
  enabled: "flag",
  status: STATUS,
  open_violations: OPEN_VIOLATIONS,
  violations: "integer",
  last_violated: "time",
  last_violated_flow_run_id: "id",
  last_restored: "time",
  since: "time",
} as const satisfies Fields;
