import { findScope } from "../scope/context.ts";
import { sleepOrAbort } from "../time.ts";
import { finishWait, placeOfWait } from "./finished-wait.ts";
import { untilWaitEnds } from "./registered-wait.ts";

export interface SleepOptions {
  /**
   * A longer sleep ends the process, and the run is scheduled for its end; that needs a deployment.
   * @default 60
   */
  readonly suspendAfterSeconds?: number | undefined;
  /**
   * By which the sleep is known when the run is executed again. @default made from the place of the
   * call
   */
  readonly key?: string | undefined;
}

/** A shorter sleep is cheaper than asking whether it is over. */
const SHORT_SECONDS = 1;
const MAX_SECONDS = 31_622_400;

/** Sleeps once: a run that is executed again sleeps for the rest, or not at all. */
export async function sleep(seconds: number, options: SleepOptions = {}): Promise<void> {
  if (!(seconds >= 0 && seconds <= MAX_SECONDS))
    throw new RangeError(`A sleep takes 0 to ${MAX_SECONDS} seconds, not ${seconds}`);
  const scope = findScope();
  const { flow = null, flowRun = null } = scope ?? {};
  if (scope === null || flow === null || flowRun === null)
    return sleepOrAbort(seconds * 1000, scope?.signal);
  const place = placeOfWait(scope, { kind: "sleep", key: options.key, args: [] });
  const { session, settings } = flow;
  if (session === null || seconds < SHORT_SECONDS)
    return sleepOrAbort(seconds * 1000, scope.signal);
  if ((flow.results?.find(place) ?? null) !== null) return;
  const suspendAfterSeconds = options.suspendAfterSeconds ?? settings.suspendAfterSeconds;
  const wait = { key: place.key, timeout_seconds: seconds };
  await untilWaitEnds({ ...scope, flow, flowRun }, { session, wait, suspendAfterSeconds });
  await finishWait(flow, place, true);
}
