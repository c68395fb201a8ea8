import type { ExecutorEvent } from "@orchestrator/contract";

const EVENT_BYTES = 1500;
/** An id with its kind. */
const INPUT_BYTES = 70;

interface TaskRunPayload {
  readonly task_run?: { readonly task_inputs?: Readonly<Record<string, readonly object[]>> };
}

/**
 * About how many bytes an event is. States of task runs differ by their message and their inputs.
 */
export function sizeOfEvent({ resource, payload, journal }: ExecutorEvent): number {
  let bytes = EVENT_BYTES + (resource["orchestrator.state-message"]?.length ?? 0);
  bytes += journal?.value.length ?? 0;
  const { task_run } = (payload ?? {}) as TaskRunPayload;
  // An event of the author's own may say anything.
  if (task_run === undefined) return bytes + JSON.stringify({ resource, payload }).length;
  const inputs = task_run.task_inputs;
  for (const name in inputs) bytes += (inputs[name]?.length ?? 0) * INPUT_BYTES;
  return bytes;
}
