import type { FlowRunSuspend, OrchestrationResult, StateCreate } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import type { FlowRunWaitRow } from "../../db/tables/flow-run-waits.table.ts";
import { notFound } from "../../runs/flow-runs/flow-runs.service.ts";
import { orchestrationResult } from "../../runs/orchestration/apply-rules.ts";
import { lockFlowRun } from "../../runs/orchestration/flow-run-states.store.ts";
import type { RunState } from "../../runs/orchestration/run-state.ts";
import { proposeFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { AWAITING_EVENT, SLEEPING } from "../../runs/orchestration/suspension.rules.ts";
import { lockWaits } from "./run-waits.store.ts";

const MOST_NAMED = 3;

/**
 * Schedules a run for the end of the first of its waits; an event schedules it earlier. It is
 * refused once one of the waits has ended, of which the process has not heard.
 */
export async function suspendUntilWaitsEnd(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: FlowRunSuspend },
): Promise<OrchestrationResult> {
  const keys = [...new Set(body.keys)];
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const run = await lockFlowRun(tx, id);
    if (run === null) throw notFound(id);
    const waits = await lockWaits(tx, { flow_run_id: id, keys });
    const isOpen = waits.length === keys.length && waits.every(({ outcome }) => outcome === null);
    const [first] = waits;
    if (!isOpen || first === undefined || first.expires <= ctx.clock.now()) {
      const reason = "One of the waits has ended";
      const state = run.state === null ? null : (readJson(run.state) as RunState);
      return orchestrationResult({ status: "REJECT", reason, delaySeconds: 0 }, state);
    }
    return proposeFlowRunState(ctx, tx, { id, state: suspendedFor(waits, first, body) });
  });
}

type Wait = Pick<FlowRunWaitRow, "event" | "expires">;

function suspendedFor(
  waits: readonly Wait[],
  { expires }: Wait,
  { claim_id = null }: FlowRunSuspend,
): StateCreate {
  const events = waits.flatMap(({ event }) => event ?? []);
  const state_details = { scheduled_time: expires, claim_id };
  if (events.length === 0) {
    const message = `The run sleeps until ${expires}`;
    return { type: "SCHEDULED", name: SLEEPING, message, state_details };
  }
  const message = `The run waits for ${eventsAsText(events)} until ${expires}`;
  return { type: "SCHEDULED", name: AWAITING_EVENT, message, state_details };
}

function eventsAsText(events: readonly string[]): string {
  const names = [...new Set(events)];
  const named = names.slice(0, MOST_NAMED).join(" or ");
  const more = names.length - MOST_NAMED;
  return `the event ${named}${more > 0 ? ` or ${more} others` : ""}`;
}
