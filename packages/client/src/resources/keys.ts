// What the client adds so that a creation that is repeated happens once.

import type { ExecutorEvent, StateCreate, TaskRunCreate } from "@orchestrator/contract";
import type { WithOptional } from "../transport/optional-defaults.ts";
import { uuid } from "../transport/uuid.ts";

/** A run that was asked for twice under one key is one run. */
export function withIdempotencyKey<Input extends { readonly idempotency_key?: string | null }>(
  input: Input,
): Input {
  return { ...input, idempotency_key: input.idempotency_key ?? uuid() };
}

/** A state that was proposed twice under one id is one transition. */
export function withTransitionId<Input extends { readonly state: StateCreate }>(
  input: Input,
): Input {
  const { state } = input;
  const details = state.state_details;
  const transition_id = details?.transition_id ?? uuid();
  return { ...input, state: { ...state, state_details: { ...details, transition_id } } };
}

/**
 * A task run that was asked for twice under one id is one, also where it belongs to no flow run.
 */
export function withTaskRunId(run: TaskRunCreate): TaskRunCreate {
  return { ...run, id: run.id ?? uuid() };
}

/** An event for which the client chooses the id and the time where they are not given. */
export type NewEvent = WithOptional<ExecutorEvent, "id" | "occurred">;

/** An event that was sent twice under one id is kept once. */
export function withEventId(event: NewEvent): ExecutorEvent {
  return {
    ...event,
    id: event.id ?? uuid(),
    occurred: event.occurred ?? new Date().toISOString(),
  };
}
