// A state of a run, as it is committed and as it goes over the wire.

import {
  type JsonValue,
  type StateCreate,
  type StateDetails,
  type StateType,
  TERMINAL_STATE_TYPES,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Ids } from "@orchestrator/kernel/pure";
import { stateName } from "../../texts/run-texts.ts";
import { withoutMiddle } from "../../texts/without-middle.ts";

/** Every key is there, so that a reader need not ask which ones are. */
export type FullDetails = {
  readonly [Key in keyof Required<StateDetails>]: NonNullable<StateDetails[Key]> | null;
};

export interface RunState {
  readonly id: string;
  readonly type: StateType;
  readonly name: string;
  readonly timestamp: string;
  readonly message: string | null;
  readonly data: JsonValue;
  readonly state_details: FullDetails;
}

export function isTerminal(type: StateType): boolean {
  return TERMINAL_STATE_TYPES.has(type);
}

const NO_DETAILS: FullDetails = {
  flow_run_id: null,
  task_run_id: null,
  child_flow_run_id: null,
  scheduled_time: null,
  cache_key: null,
  cache_expiration: null,
  deferred: false,
  untrackable_result: false,
  pause_timeout: null,
  pause_reschedule: false,
  pause_key: null,
  run_input_keyset: null,
  refresh_cache: null,
  retriable: null,
  transition_id: null,
  task_parameters_id: null,
  traceparent: null,
  deployment_concurrency_lease_id: null,
  claim_id: null,
};

/**
 * What a run failed with may be long, and is the last that is heard of it: it is cut, not refused.
 */
const MAX_MESSAGE = 500_000;

/** What a proposal becomes when it arrives: with an id, a time, a name and every detail. */
export function receiveState(
  { type, name, message, data, state_details }: StateCreate,
  { ids, now }: { readonly ids: Ids; readonly now: string },
): RunState {
  const details = fullDetails(state_details ?? {});
  return {
    id: ids.uuid7(),
    type,
    name: name == null ? defaultName(type) : stateName(name),
    timestamp: now,
    message: message == null ? null : withoutMiddle(message, MAX_MESSAGE),
    data: data ?? null,
    state_details:
      type === "SCHEDULED" && details.scheduled_time === null
        ? { ...details, scheduled_time: now }
        : details,
  };
}

/** The word with a capital: `Scheduled`. */
function defaultName(type: StateType): string {
  return `${type.charAt(0)}${type.slice(1).toLowerCase()}`;
}

function fullDetails(given: StateDetails): FullDetails {
  const details: Record<string, unknown> = { ...NO_DETAILS };
  for (const key in given) {
    const value = given[key as keyof StateDetails];
    const isTold = value !== undefined && (value !== null || key === "deferred");
    if (isTold && key in NO_DETAILS) details[key] = value;
  }
  return details as unknown as FullDetails;
}

/** The same state with other details. */
export function withDetails(state: RunState, details: Partial<FullDetails>): RunState {
  return { ...state, state_details: { ...state.state_details, ...details } };
}

/** Data that somebody could still read: anything but nothing and the note that it was not kept. */
export function hasPersistedData({ data }: RunState): boolean {
  return isObject(data) && Object.keys(data).length > 0 && !isUnpersisted(data);
}

/** The note that data was not kept, in the place of the data. */
export function isUnpersisted(data: JsonValue): boolean {
  return isObject(data) && data["type"] === "unpersisted";
}

/** The data as it is stored: the note that it was not kept is not kept either. */
export function storedData({ data }: RunState): JsonValue {
  return isUnpersisted(data) ? null : data;
}

export function storedState(state: RunState): string {
  return writeJson(isUnpersisted(state.data) ? { ...state, data: null } : state);
}

/** The row of a state, but for the run that it is of. */
export function stateRow(state: RunState) {
  const { id, timestamp, type, name } = state;
  return { id, timestamp, type, name, state: storedState(state) };
}

function isObject(data: JsonValue): data is Readonly<Record<string, JsonValue>> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}
