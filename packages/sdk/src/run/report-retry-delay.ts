import { retryUntilAnswered } from "../report/retry-budget.ts";
import { claimOf, type ExecutedRun } from "./executed-run.ts";
import { FOR_EVER, fixedRetryDelayOf } from "./flow-run.ts";

/**
 * The server expects the next attempt when the policy of the run says so, and takes a process that
 * is much later for gone. A delay that is known only now is written there; rounded down, as the
 * process itself waits for the rest.
 */
export async function reportRetryDelay(
  { session, info, definition, claimId }: ExecutedRun,
  { seconds, patienceSeconds }: { readonly seconds: number; readonly patienceSeconds: number },
): Promise<void> {
  if (session === null || fixedRetryDelayOf(definition.options) !== null) return;
  const { flowRuns } = session.client;
  const patience = { seconds: patienceSeconds };
  const read = () => flowRuns.read(info.id, { retries: 0 });
  const record = await retryUntilAnswered(read, patience);
  // Whoever has the run by now tells its own delay.
  if (claimId !== null && claimOf(record) !== claimId) return;
  const { empirical_policy } = record;
  const retry_delay = Math.min(Math.floor(seconds), FOR_EVER);
  if (empirical_policy.retry_delay === retry_delay) return;
  const changes = { empirical_policy: { ...empirical_policy, retry_delay } };
  await retryUntilAnswered(() => flowRuns.update(info.id, changes, { retries: 0 }), patience);
}
