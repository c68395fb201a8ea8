import type { Fields } from "@orchestrator/kernel/storage";

export type CheckStatus = "up" | "degraded" | "down";

/** What made the check run. */
export type CheckOrigin = "schedule" | "manual";

/** A row as it is stored: `details` is JSON text. */
export interface ResultRow {
  readonly id: string;
  readonly monitor_id: string;
  /** When the run began. */
  readonly checked_at: string;
  readonly status: CheckStatus;
  readonly message: string;
  readonly elapsed_ms: number;
  readonly details: string;
  readonly origin: CheckOrigin;
  /** The monitoring server itself was cut off, so the result says nothing about the target. */
  readonly inconclusive: boolean;
  /** A maintenance took place for the monitor, so that the result counts for nothing. */
  readonly maintenance: boolean;
}

/** The record on the wire, in this order. */
export const RESULT_FIELDS = {
  id: "id",
  monitor_id: "id",
  status: "text",
  message: "text",
  elapsed_ms: "real",
  details: "json",
  checked_at: "time",
  inconclusive: "flag",
  maintenance: "flag",
} as const satisfies Fields & Partial<Record<keyof ResultRow, unknown>>;
