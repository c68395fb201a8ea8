import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `pipeline` and `tags` are JSON text. */
export interface MonitorRow extends MonitorConfigRow {
  /** When the newest result was measured, and what it says. */
  readonly last_check: string | null;
  readonly last_status: string | null;
  /** The status that events and incidents speak of. */
  readonly confirmed_status: string | null;
  /** How many results in a row disagree with it. */
  readonly streak: number;
  /** Which process checks it, as long as its hold lasts. */
  readonly run_holder: string | null;
}

/** What people decide, and what follows from it. */
export interface MonitorConfigRow {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string;
  /** As it is shown: with a mask in place of a password. */
  readonly url: string;
  /** As it is shown: with masks in place of secrets. */
  readonly pipeline: string;
  /** The secrets by their place, sealed; null where there is none. */
  readonly secrets: string | null;
  readonly sealed_with: string | null;
  readonly interval: number;
  readonly schedule: string | null;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly tags: string;
  readonly confirm_down: number;
  readonly confirm_up: number;
  /**
   * When it is due; null when that is still to be worked out, as after every change that bears on
   * it.
   */
  readonly next_run: string | null;
}

/** What people decide, as they see it. */
export const MONITOR_DECIDED = [
  "name",
  "url",
  "pipeline",
  "interval",
  "schedule",
  "timezone",
  "enabled",
  "tags",
  "confirm_down",
  "confirm_up",
] as const satisfies readonly (keyof MonitorConfigRow)[];

/** What may change of it. */
export const MONITOR_CHANGEABLE = [
  "updated_at",
  ...MONITOR_DECIDED,
  "secrets",
  "sealed_with",
  "next_run",
] as const satisfies readonly (keyof MonitorConfigRow)[];

export const MONITOR_CONFIG_COLUMNS = [
  "id",
  "created_at",
  ...MONITOR_CHANGEABLE,
] as const satisfies readonly (keyof MonitorConfigRow)[];

const nextCheck: ComputedField = {
  kind: "time",
  expression: ({ text }) => text("case when $.enabled then $.next_run end"),
};

const parents: ComputedField = {
  kind: "json",
  expression: ({ dialect, text }) =>
    text(
      `select concat('[', ${dialect.joined("record")}, ']') from (select '"' || cast(parent_id as text) || '"' as record from monitor_parents where monitor_parents.monitor_id = $.id order by parent_id) listed`,
    ),
};

/** The record on the wire, in this order. */
export const MONITOR_FIELDS = {
  id: "id",
  name: "text",
  url: "text",
  pipeline: "json",
  interval: "integer",
  schedule: "text",
  timezone: "text",
  enabled: "flag",
  tags: "tags",
  confirm_down: "integer",
  confirm_up: "integer",
  parents,
  created_at: "time",
  updated_at: "time",
  last_check: "time",
  last_status: "text",
  next_check: nextCheck,
} as const satisfies Fields;
