import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  JsonValue,
  LONG,
  Model,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { StateType } from "./common.ts";

const MAX_KEY = 2000;
/** It is read with every run that is in the state. */
const MAX_DATA = 1024 * 1024;

/** A description, the schema and the response are all that clients name. */
export const MAX_INPUT_KEYS = 20;

const optional = {
  uuid: () => Type.Optional(Nullable(Uuid())),
  time: () => Type.Optional(Nullable(Timestamp())),
  text: (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength }))),
  flag: () => Type.Optional(Nullable(Flag())),
};

/** Who resumes the run needs two of them. */
const Keyset = Type.Unsafe<
  Readonly<Record<string, string>> & { readonly response?: string; readonly schema?: string }
>({
  type: "object",
  description: "Under which keys the input that a paused run waits for is kept",
  additionalProperties: Type.String(LONG),
  propertyNames: { type: "string", maxLength: MAX_KEY },
  maxProperties: MAX_INPUT_KEYS,
});

/** What a state carries beyond its type. Keys that are not known are ignored. */
export const StateDetails = Type.Object(
  {
    flow_run_id: optional.uuid(),
    task_run_id: optional.uuid(),
    child_flow_run_id: optional.uuid(),
    scheduled_time: optional.time(),
    cache_key: optional.text(MAX_KEY * 5),
    cache_expiration: optional.time(),
    deferred: optional.flag(),
    untrackable_result: optional.flag(),
    pause_timeout: optional.time(),
    pause_reschedule: optional.flag(),
    pause_key: optional.text(MAX_KEY),
    run_input_keyset: Type.Optional(Nullable(Keyset)),
    refresh_cache: optional.flag(),
    retriable: optional.flag(),
    transition_id: optional.uuid(),
    task_parameters_id: optional.uuid(),
    traceparent: optional.text(MAX_KEY),
    deployment_concurrency_lease_id: optional.uuid(),
    /**
     * Which claim of the run this belongs to; a claimant that gives it is told when the run went to
     * another.
     */
    claim_id: optional.uuid(),
  },
  { $id: "StateDetails" },
);
export type StateDetails = Static<typeof StateDetails>;

export const State = Model(
  {
    id: Uuid(),
    type: StateType,
    name: Nullable(Type.String()),
    timestamp: Timestamp(),
    message: Nullable(Type.String()),
    data: JsonValue(),
    state_details: StateDetails,
  },
  { $id: "State" },
);
export type State = Static<typeof State>;

export const StateCreate = Model(
  {
    type: StateType,
    name: Type.Optional(
      Nullable(
        Type.String({
          description: "Of one that has more than 255 characters the middle is left out.",
        }),
      ),
    ),
    message: Type.Optional(
      Nullable(Type.String({ description: "Of one that is very long the middle is left out." })),
    ),
    data: Type.Optional(JsonValue({ maxJsonLength: MAX_DATA })),
    state_details: Type.Optional(StateDetails),
  },
  {
    $id: "StateCreate",
    description: "A state that is proposed; the server gives it an id and a time",
  },
);
export type StateCreate = Static<typeof StateCreate>;

export const ORCHESTRATION_STATUSES = ["ACCEPT", "REJECT", "ABORT", "WAIT"] as const;
export type OrchestrationStatus = (typeof ORCHESTRATION_STATUSES)[number];

/** What became of a proposed state. */
export const OrchestrationResult = Model(
  {
    state: Nullable(State),
    status: StringEnum(ORCHESTRATION_STATUSES),
    details: Model({
      type: StringEnum(["accept_details", "reject_details", "abort_details", "wait_details"]),
      reason: Type.Optional(Nullable(Type.String())),
      delay_seconds: Type.Optional(Type.Integer()),
    }),
  },
  { $id: "OrchestrationResult" },
);
export type OrchestrationResult = Static<typeof OrchestrationResult>;

export const SetState = Type.Object(
  {
    state: StateCreate,
    force: Type.Optional(Nullable(Flag({ default: false }))),
  },
  { nullAsAbsent: true },
);

const MAX_IDENTIFIER = 4000;

/**
 * With its state, the process that executes a run may report what would be requests of their own.
 */
export const SetFlowRunState = Type.Object(
  {
    ...SetState.properties,
    infrastructure_pid: optional.text(MAX_IDENTIFIER),
    heartbeat_interval_seconds: Type.Optional(
      Nullable(
        Type.Number({
          minimum: 0.001,
          maximum: 86_400,
          description: "How often the run sends a heartbeat; one that misses three is CRASHED",
        }),
      ),
    ),
  },
  { nullAsAbsent: true },
);
export type SetFlowRunState = Static<typeof SetFlowRunState>;

export const StatesOfFlowRun = Type.Object({ flow_run_id: Uuid() });
export const StatesOfTaskRun = Type.Object({ task_run_id: Uuid() });

export const OBSERVED_STATE_SORTS = ["LAST_SEEN_DESC", "NAME_ASC"] as const;
const MAX_OBSERVED = 200;

export const ObservedStatesQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "What the type or the name begins with, in any case",
    }),
  ),
  order_by: Type.Optional(StringEnum(OBSERVED_STATE_SORTS, { default: "LAST_SEEN_DESC" })),
  limit: Type.Optional(Int({ minimum: 1, maximum: MAX_OBSERVED, default: MAX_OBSERVED })),
});
export type ObservedStatesQuery = Static<typeof ObservedStatesQuery>;

/** Runs have been in states of this type and name. */
export const ObservedState = Model(
  {
    state_type: StateType,
    state_name: Type.String(),
    first_seen: Timestamp(),
    last_seen: Timestamp(),
  },
  { $id: "ObservedState" },
);
export type ObservedState = Static<typeof ObservedState>;

/** Counts of runs by state in one interval of a history. */
export const HistoryInterval = Model(
  {
    interval_start: Timestamp(),
    interval_end: Timestamp(),
    states: Type.Array(
      Model({
        state_type: StateType,
        state_name: Type.String(),
        count_runs: Type.Integer(),
        sum_estimated_run_time: Type.Number(),
        sum_estimated_lateness: Type.Number(),
      }),
    ),
  },
  { $id: "HistoryInterval" },
);
export type HistoryInterval = Static<typeof HistoryInterval>;
