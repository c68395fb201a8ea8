import type { FlowRunPolicy } from "@orchestrator/contract";

/** A policy with every key, where the older names fill what the newer ones leave open. */
export function fullPolicy(given: FlowRunPolicy | null | undefined): FlowRunPolicy {
  const { max_retries = 0, retry_delay_seconds = 0, ...rest } = given ?? {};
  return {
    max_retries,
    retry_delay_seconds,
    retries: rest.retries ?? (max_retries > 0 ? max_retries : null),
    retry_delay:
      rest.retry_delay ?? (retry_delay_seconds > 0 ? Math.round(retry_delay_seconds) : null),
    pause_keys: [...new Set(rest.pause_keys ?? [])],
    resuming: rest.resuming ?? false,
    // Nobody but the process that runs it tries a run again in process, and the server learns of
    // that by the run's states.
    retry_type: rest.retry_type === "in_process" ? null : (rest.retry_type ?? null),
  };
}

/**
 * A policy in the place of another. A run that its process is about to try again stays one, and
 * workers do not get it.
 */
export function changedPolicy(before: FlowRunPolicy, given: FlowRunPolicy): FlowRunPolicy {
  const after = fullPolicy(given);
  return before.retry_type === "in_process" ? { ...after, retry_type: "in_process" } : after;
}
