// Waits that have ended are results of the run: an execution that goes on, or a run that is made
// from it, finds them there.

import { RunStoppedError } from "../errors.ts";
import { type CallPlace, packValue, placeOfCall } from "../results/values.ts";
import { nextCall, type RunScope } from "../scope/context.ts";
import type { FlowScope } from "../scope/flow-scope.ts";

/** The server has what is larger with the wait. */
const MAX_VALUE_BYTES = 65_536;

interface WaitCall {
  readonly kind: "event" | "sleep";
  /** As the caller names it. */
  readonly key: string | undefined;
  readonly args: readonly unknown[];
}

export function placeOfWait(scope: RunScope, { kind, key, args }: WaitCall): CallPlace {
  const place = `${scope.callPath}${nextCall(scope, ` ${kind}`)}`;
  return placeOfCall(`$${kind}/${key ?? place}`, args);
}

export async function finishWait(
  { results }: FlowScope,
  place: CallPlace,
  value: unknown,
): Promise<void> {
  if (results === null) return;
  try {
    const isSmall = (packValue(value)?.length ?? 0) <= MAX_VALUE_BYTES;
    if (results.shared === null) await results.finish(place, value, null);
    else if (isSmall) await results.write(place, value);
  } catch (error) {
    if (error instanceof RunStoppedError) throw error;
    // The server still has the wait, and tells the same when it is asked again.
  }
}
