import type { SlaKind } from "@orchestrator/contract";
import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, integer, real, text, time } = column;

const OPEN =
  "(select count(*) from sla_watches where sla_watches.sla_id = $.id and sla_watches.violated is not null)";

/** Also what lists filter by. */
export const SLA_STATUS =
  "case when not $.enabled then 'DISABLED' when $.violated is not null or exists (select 1 from sla_watches where sla_watches.sla_id = $.id and sla_watches.violated is not null) then 'VIOLATED' else 'OK' end";

const STATUS: ComputedField = { kind: "text", expression: ({ text }) => text(SLA_STATUS) };
const OPEN_VIOLATIONS: ComputedField = {
  kind: "integer",
  expression: ({ text }) => text(`${OPEN} + case when $.violated is null then 0 else 1 end`),
};

export const SLAS = defineTable("slas", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  deployment_id: id(),
  name: text().changeable(),
  kind: text<SlaKind>().changeable(),
  seconds: real().changeable(),
  severity: text().changeable(),
  enabled: flag().changeable(),
  status: STATUS,
  open_violations: OPEN_VIOLATIONS,
  violations: integer(),
  last_violated: time().orNull(),
  last_violated_flow_run_id: id().orNull(),
  last_restored: time().orNull(),
  /** For freshness what it counts from; otherwise since when runs are under it. */
  since: time().orNull().changeable(),
  /**
   * When to look at the deployment next, null when its runs' events say enough. The same as `since`
   * before the first look.
   */
  due: time().orNull().internal().changeable(),
  /** For freshness: since when it is violated, and the event that reported it. */
  violated: time().orNull().internal().changeable(),
  violation_id: id().orNull().internal().changeable(),
});
export type SlaRow = RowOf<typeof SLAS>;

/** A run under an SLA: until its bound passes (`due`), and while it is violated. */
export const SLA_WATCHES = defineTable("sla_watches", {
  sla_id: id(),
  flow_run_id: id(),
  /** What the bound counts from. */
  since: time(),
  due: time().orNull(),
  violated: time().orNull(),
  /** The event that reported the violation. */
  violation_id: id().orNull(),
});
export type SlaWatchRow = RowOf<typeof SLA_WATCHES>;
