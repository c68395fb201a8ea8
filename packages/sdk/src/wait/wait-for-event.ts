import type { Event, LabelPatterns } from "@orchestrator/contract";
import { EventTimeoutError, RunStoppedError } from "../errors.ts";
import { scopeInFlow } from "../scope/context.ts";
import { finishWait, placeOfWait } from "./finished-wait.ts";
import { untilWaitEnds } from "./registered-wait.ts";

export interface EventWaitOptions {
  /** Name of the event; `*` stands for anything. */
  readonly event: string;
  /**
   * Labels that its resource must have, with patterns as in a trigger: `{
   * "orchestrator.resource.id": "order.7" }`.
   */
  readonly match?: LabelPatterns | undefined;
  /** Labels that one of its related resources must have; of several, each must fit one. */
  readonly matchRelated?: LabelPatterns | readonly LabelPatterns[] | undefined;
  /** After so long an `EventTimeoutError` is thrown; at most a year. @default 3600 */
  readonly timeoutSeconds?: number | undefined;
  /**
   * After so long the process ends, and the event starts the run again; that needs a deployment.
   * @default 60
   */
  readonly suspendAfterSeconds?: number | undefined;
  /**
   * By which the wait is known when the run is executed again. @default made from the place of the
   * call
   */
  readonly key?: string | undefined;
}

const TIMEOUT_SECONDS = 3600;
const MAX_ATTEMPTS = 10_000;

/** Waits for the first matching event that is sent after the wait began. */
export async function waitForEvent(options: EventWaitOptions): Promise<Event> {
  const { event, match = {}, matchRelated = {}, timeoutSeconds = TIMEOUT_SECONDS } = options;
  const scope = scopeInFlow("waitForEvent");
  const { flow, flowRun, taskRun } = scope;
  const { session, settings } = flow;
  if (session === null)
    throw new RunStoppedError(
      "A run that no server knows cannot wait for an event: in a test, use testFlow of @orchestrator/sdk/testing",
    );
  const place = placeOfWait(scope, {
    kind: "event",
    key: options.key,
    args: [event, match, matchRelated],
  });
  const finished = flow.results?.find(place) ?? null;
  if (finished !== null) return finished.value as Event;
  const { outcome, received } = await untilWaitEnds(scope, {
    session,
    suspendAfterSeconds: options.suspendAfterSeconds ?? settings.suspendAfterSeconds,
    wait: {
      key: place.key,
      event,
      match,
      match_related: matchRelated,
      timeout_seconds: timeoutSeconds,
      // A retry waits anew for what has not come.
      attempt: flowRun.runCount * MAX_ATTEMPTS + Math.min(taskRun?.attempt ?? 0, MAX_ATTEMPTS - 1),
    },
  });
  if (outcome !== "event" || received === null)
    throw new EventTimeoutError(`No event ${event} came within ${timeoutSeconds} s`);
  await finishWait(flow, place, received);
  return received;
}
