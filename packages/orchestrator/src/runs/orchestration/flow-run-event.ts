// The event of a state that a flow run has entered.

import { appendEvent } from "@orchestrator/kernel/events";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { withoutMiddle } from "../../texts/without-middle.ts";
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
    runCount,
    initial,
    committed,
  }: {
    readonly run: Omit<LockedFlowRun, "silence_seconds" | "earlier_transitions">;
    /** With the state that it enters. */
    readonly runCount: number;
    readonly initial: RunState | null;
    readonly committed: RunState;
  },
): Promise<void> {
  const { prefix } = ctx.dialect;
  const { id, timestamp, name, type } = committed;
  const event = `${prefix}.flow-run.${name}`;
  const resourceId = `${prefix}.flow-run.${run.id}`;
  // Written out as text: half the work of putting objects together first.
  const text = JSON.stringify(withoutMiddle(committed.message ?? "", MAX_MESSAGE));
  const quotedName = JSON.stringify(name);
  const resource =
    `{"${prefix}.resource.id":"${resourceId}","${prefix}.resource.name":${JSON.stringify(run.name)},` +
    `"${prefix}.run-count":"${runCount}","${prefix}.state-message":${text},"${prefix}.state-name":${quotedName},` +
    `"${prefix}.state-timestamp":"${timestamp}","${prefix}.state-type":"${type}"}`;
  const from = initial === null ? "null" : `"${initial.type}"`;
  const payload =
    `{"intended":{"from":${from},"to":"${type}"},` +
    `"initial_state":${initial === null ? "null" : inShort(initial)},"validated_state":${inShort(committed)}}`;
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
      `"resource":${resource},"related":${related},"payload":${payload},` +
      `"follows":${follows},"received":"${received}"}`,
  });
}

function inShort({ type, name, message, state_details }: RunState): string {
  const said = message ? `,"message":${JSON.stringify(withoutMiddle(message, MAX_MESSAGE))}` : "";
  const paused =
    type === "PAUSED" ? `,"pause_reschedule":"${state_details.pause_reschedule === true}"` : "";
  return `{"type":"${type}","name":${JSON.stringify(name)}${said}${paused}}`;
}

function isShortlyAfter(initial: RunState | null, committed: RunState): boolean {
  if (initial === null) return false;
  const apart = parseMicros(committed.timestamp) - parseMicros(initial.timestamp);
  return Math.abs(apart) < FOLLOWS_WITHIN_MICROS;
}
