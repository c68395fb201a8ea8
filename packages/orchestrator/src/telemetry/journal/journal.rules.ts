import type { ExecutorClaim } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";

/** The key under which a run stores what its flow returned. */
export const RETURN = "return";

interface StateOfRun {
  readonly type: string;
  readonly state_details: { readonly claim_id?: string | null };
}

/**
 * Whether an executor's claim has lapsed. A run that was forced into its state belongs to no
 * executor, unless it waits to be claimed again.
 */
export function hasLapsed({ claim_id }: ExecutorClaim, text: string | null): boolean {
  if (text === null) return false;
  const { type, state_details } = readJson(text) as StateOfRun;
  const holder = state_details.claim_id ?? null;
  return claim_id !== holder && (holder !== null || type === "SCHEDULED");
}
