// A status is told of only when enough results in a row have said so.

import type { CheckStatus } from "../db/tables/results.table.ts";

export interface StatusConfirmation {
  readonly confirmed: CheckStatus | null;
  /** How many results in a row disagree with `confirmed`. */
  readonly streak: number;
}

export interface Thresholds {
  readonly confirm_down: number;
  readonly confirm_up: number;
}

export interface ConfirmationResult extends StatusConfirmation {
  /** Whether the change is to be told. The first `up` of all is no news. */
  readonly isNews: boolean;
}

const BADNESS: Readonly<Record<CheckStatus, number>> = { up: 0, degraded: 1, down: 2 };

export function isWorse(status: CheckStatus, than: CheckStatus): boolean {
  return BADNESS[status] > BADNESS[than];
}

export function confirmStatus(
  { confirmed, streak }: StatusConfirmation,
  status: CheckStatus,
  { confirm_down, confirm_up }: Thresholds,
): ConfirmationResult {
  if (status === confirmed) return { confirmed, streak: 0, isNews: false };
  if (confirmed === null && status === "up") return { confirmed: "up", streak: 0, isNews: false };
  const needed = isWorse(status, confirmed ?? "up") ? confirm_down : confirm_up;
  if (streak + 1 < needed) return { confirmed, streak: streak + 1, isNews: false };
  return { confirmed: status, streak: 0, isNews: true };
}
