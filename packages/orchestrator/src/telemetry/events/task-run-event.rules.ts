// What an event says about a task run.

import {
  Int,
  JsonValue,
  Labels,
  MAX_INPUT_KEYS,
  Nullable,
  Num,
  StateDetails,
  StateType,
  TaskInputs,
  TaskRunPolicy,
  Timestamp,
} from "@orchestrator/contract";
import { readJson, withoutFraction } from "@orchestrator/exact-json";
import { createReader, normaliseUuid } from "@orchestrator/kernel/http";
import { type Static, Type } from "typebox";
import { runKey, runName, runTag } from "../../texts/run-texts.ts";
import { type ResourceLabels, resourceLabel, withoutPrefix } from "./labels.rules.ts";

const text = () => Type.Optional(Nullable(Type.String()));
const time = () => Type.Optional(Nullable(Timestamp()));
const count = () => Type.Optional(Nullable(Int({ minimum: 0 })));

/** The client keeps these itself; what it leaves out it says nothing about. */
const ReportedTaskRun = Type.Object({
  name: text(),
  task_key: text(),
  dynamic_key: text(),
  cache_key: text(),
  cache_expiration: time(),
  task_version: text(),
  empirical_policy: Type.Optional(Nullable(TaskRunPolicy)),
  tags: Type.Optional(Nullable(Type.Array(Type.String()))),
  labels: Type.Optional(Nullable(Labels)),
  task_inputs: Type.Optional(Nullable(TaskInputs)),
  run_count: count(),
  flow_run_run_count: count(),
  expected_start_time: time(),
  next_scheduled_start_time: time(),
  start_time: time(),
  end_time: time(),
  total_run_time: Type.Optional(Nullable(Num({ minimum: 0 }))),
});
export type ReportedTaskRun = Static<typeof ReportedTaskRun>;

/** Its texts may be of any length: they are cut. */
const ReportedDetails = Type.Object({
  ...StateDetails.properties,
  cache_key: text(),
  pause_key: text(),
  traceparent: text(),
  run_input_keyset: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
});

const ReportedState = Type.Object({
  type: StateType,
  name: text(),
  message: text(),
  state_details: Type.Optional(ReportedDetails),
  data: Type.Optional(JsonValue()),
});

const payloadReader = createReader(
  Type.Object({
    validated_state: ReportedState,
    task_run: Type.Optional(Nullable(ReportedTaskRun)),
  }),
);

/** An event as the log holds it, as far as it matters here. */
interface EventBody {
  readonly id: string;
  readonly occurred: string;
  readonly event: string;
  readonly received: string;
  readonly resource: ResourceLabels;
  readonly related: readonly ResourceLabels[];
  readonly payload: unknown;
}

/** A state that a task run went into where it ran. */
export interface TaskRunReport {
  readonly eventId: string;
  readonly occurred: string;
  readonly taskRunId: string;
  readonly flowRunId: string | null;
  readonly name: string | undefined;
  readonly run: ReportedTaskRun;
  readonly state: Omit<Static<typeof ReportedState>, "state_details"> & {
    readonly state_details: StateDetails;
  };
}

export function parseEvent(body: string): EventBody {
  return readJson(body) as EventBody;
}

/**
 * Whether the name is that of an event about a task run; many are, but not all of them are reports.
 */
export function isTaskRunEvent(name: string): boolean {
  return withoutPrefix(name, "task-run") !== null;
}

/**
 * What the event reports; null when it is not a report, a text when it is one that makes no sense.
 */
export function readTaskRunReport(event: EventBody): TaskRunReport | string | null {
  const { resource, related, payload } = event;
  if (resourceLabel(resource, "orchestration") !== "client") return null;
  const taskRunId = idOf(resource, "task-run.");
  if (taskRunId === null) return "its resource is not a task run";
  const flowRun = related.find((each) => resourceLabel(each, "resource.role") === "flow-run");
  const flowRunId = flowRun === undefined ? null : idOf(flowRun, "flow-run.");
  if (flowRun !== undefined && flowRunId === null) return "its flow run has no proper id";
  const reading = payloadReader.check(payload);
  if ("problem" in reading) return reading.problem;
  const { validated_state: state, task_run } = reading.value;
  const name = resourceLabel(resource, "resource.name");
  return {
    eventId: event.id,
    occurred: event.occurred,
    taskRunId,
    flowRunId,
    name: name === undefined ? undefined : runName(name),
    run: withinBounds(task_run ?? {}),
    state: { ...state, state_details: detailsWithinBounds(state.state_details ?? {}) },
  };
}

const MAX_TAGS = 100;

const short = (cut: (text: string) => string, text: string | null = null): string | null =>
  text === null ? null : cut(text);

/**
 * It has happened and cannot be refused: what is too long is cut. The keys of the task are cut
 * where they are stored.
 */
function withinBounds({ tags, ...run }: ReportedTaskRun): ReportedTaskRun {
  return {
    ...run,
    name: short(runName, run.name),
    cache_key: short(runKey, run.cache_key),
    task_version: short(runName, run.task_version),
    tags: tags?.slice(0, MAX_TAGS).map(runTag) ?? null,
  };
}

function detailsWithinBounds(details: Static<typeof ReportedDetails>): StateDetails {
  const { cache_key, pause_key, traceparent, run_input_keyset: keyset } = details;
  return {
    ...details,
    cache_key: short(runKey, cache_key),
    pause_key: short(runKey, pause_key),
    traceparent: short(runKey, traceparent),
    run_input_keyset: keyset == null ? null : keysetWithinBounds(keyset),
  };
}

const keysetWithinBounds = (keyset: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(keyset)
      .slice(0, MAX_INPUT_KEYS)
      .map(([name, key]) => [runKey(name), runKey(key)]),
  );

const HEARTBEAT_SECONDS = 180;
const MAX_HEARTBEAT_SECONDS = 86_400;
const MISSED_HEARTBEATS = 3;

export interface RunHeartbeat {
  readonly flowRunId: string;
  /** For how long nothing need be heard of the run. */
  readonly silenceSeconds: number;
}

export function isHeartbeat(name: string): boolean {
  return withoutPrefix(name, "flow-run.heartbeat") === "";
}

export const silenceSecondsOf = (intervalSeconds: number): number =>
  intervalSeconds * MISSED_HEARTBEATS;

/** Which run is alive, and for how long that is believed; the sender may say how often it tells. */
export function readRunHeartbeat({ resource, payload }: EventBody): RunHeartbeat | null {
  const flowRunId = idOf(resource, "flow-run.");
  if (flowRunId === null) return null;
  const { heartbeat_interval_seconds } = payload as {
    readonly heartbeat_interval_seconds?: unknown;
  };
  const told = withoutFraction(heartbeat_interval_seconds);
  const isSound = typeof told === "number" && told > 0 && told <= MAX_HEARTBEAT_SECONDS;
  const silenceSeconds = silenceSecondsOf(isSound ? told : HEARTBEAT_SECONDS);
  return { flowRunId, silenceSeconds };
}

/** The flow run that an event is about, if it is about one. */
export function flowRunOf(event: { readonly resource_id: string }): string | null {
  return idAfter(event.resource_id, "flow-run.");
}

function idOf(resource: ResourceLabels, kind: string): string | null {
  return idAfter(resourceLabel(resource, "resource.id") ?? "", kind);
}

function idAfter(text: string, kind: string): string | null {
  const id = withoutPrefix(text, kind);
  return id === null ? null : (normaliseUuid(id) ?? null);
}
