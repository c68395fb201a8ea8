// The event of a state that a flow run has entered.

import { appendEvent, parseMicros, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../context.ts";
import type { LockedFlowRun } from "./flow-run-states.store.ts";
import { relatedOf } from "./related-resources.ts";
import type { RunState } from "./run-state.ts";

const MAX_MESSAGE = 100_000;
/** A state follows the one before it in the log when they are no further apart than this. */
const FOLLOWS_WITHIN_MICROS = 5 * 60 * 1_000_000;

export async function emitFlowRunEvent(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    run,
    initial,
    committed,
  }: {
    readonly run: LockedFlowRun;
    readonly initial: RunState | null;
    readonly committed: RunState;
  },
): Promise<void> {
  const { prefix } = ctx.dialect;
  const { id, timestamp, name, type } = committed;
  const event = `${prefix}.flow-run.${name}`;
  const resourceId = `${prefix}.flow-run.${run.id}`;
  const resource = {
    [`${prefix}.resource.id`]: resourceId,
    [`${prefix}.resource.name`]: run.name,
    [`${prefix}.run-count`]: String(run.run_count),
    [`${prefix}.state-message`]: withoutMiddle(committed.message ?? ""),
    [`${prefix}.state-name`]: name,
    [`${prefix}.state-timestamp`]: timestamp,
    [`${prefix}.state-type`]: type,
  };
  const payload = {
    intended: { from: initial?.type ?? null, to: type },
    initial_state: initial === null ? null : inShort(initial),
    validated_state: inShort(committed),
  };
  const related = await relatedOf(ctx, tx, run);
  const received = ctx.clock.now();
  const follows = isShortlyAfter(initial, committed) ? `"${initial?.id}"` : "null";
  await appendEvent(tx, {
    id,
    occurred: timestamp,
    received,
    event,
    resource_id: resourceId,
    related,
    body:
      `{"id":"${id}","occurred":"${timestamp}","event":${JSON.stringify(event)},` +
      `"resource":${JSON.stringify(resource)},"related":${related},"payload":${JSON.stringify(payload)},` +
      `"follows":${follows},"received":"${received}"}`,
  });
}

function inShort({ type, name, message, state_details }: RunState) {
  return {
    type,
    name,
    ...(message !== null && message !== "" && { message: withoutMiddle(message) }),
    ...(type === "PAUSED" && { pause_reschedule: String(state_details.pause_reschedule === true) }),
  };
}

function isShortlyAfter(initial: RunState | null, committed: RunState): boolean {
  if (initial === null) return false;
  const apart = parseMicros(committed.timestamp) - parseMicros(initial.timestamp);
  return Math.abs(apart) < FOLLOWS_WITHIN_MICROS;
}

/** The beginning and the end of a long text say most. */
function withoutMiddle(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  const half = Math.floor((MAX_MESSAGE - 3) / 2);
  return `${text.slice(0, half)}...${text.slice(-half)}`;
}
