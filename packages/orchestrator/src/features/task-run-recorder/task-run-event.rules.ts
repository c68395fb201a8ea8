// What an event says about a task run.

import {
  Int,
  JsonValue,
  Labels,
  Nullable,
  Num,
  StateDetails,
  StateType,
  Tags,
  TaskInputs,
  TaskRunPolicy,
  Timestamp,
} from "@orchestrator/contract";
import { createReader, normaliseUuid, readJson, wellFormed } from "@orchestrator/kernel";
import { type Static, Type } from "typebox";
import { labelOf, type ResourceLabels, withoutPrefix } from "../events/labels.rules.ts";

const MAX_NAME = 1000;
const MAX_CACHE_KEY = 2000;
const MAX_STATE_NAME = 255;

const text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));
const time = () => Type.Optional(Nullable(Timestamp()));
const count = () => Type.Optional(Nullable(Int({ minimum: 0 })));

/** The client keeps these itself; what it leaves out it says nothing about. */
const ReportedTaskRun = Type.Object({
  name: Type.Optional(Nullable(Type.String())),
  task_key: text(MAX_NAME),
  dynamic_key: text(MAX_NAME),
  cache_key: text(MAX_CACHE_KEY),
  cache_expiration: time(),
  task_version: text(MAX_NAME),
  empirical_policy: Type.Optional(Nullable(TaskRunPolicy)),
  tags: Type.Optional(Nullable(Tags)),
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

const ReportedState = Type.Object({
  type: StateType,
  name: text(MAX_STATE_NAME),
  message: Type.Optional(Nullable(Type.String())),
  state_details: Type.Optional(StateDetails),
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
  readonly state: Static<typeof ReportedState>;
}

export function parseEvent(body: string): EventBody {
  return readJson(body) as EventBody;
}

/** Whether the name is that of an event about a task run; many are, but not all of them are reports. */
export function isTaskRunEvent(name: string): boolean {
  return withoutPrefix(name, "task-run") !== null;
}

/** What the event reports; null when it is not a report, a text when it is one that makes no sense. */
export function readReport(event: EventBody): TaskRunReport | string | null {
  const { resource, related, payload } = event;
  if (labelOf(resource, "orchestration") !== "client") return null;
  const taskRunId = idOf(resource, "task-run.");
  if (taskRunId === null) return "its resource is not a task run";
  const flowRun = related.find((each) => labelOf(each, "resource.role") === "flow-run");
  const flowRunId = flowRun === undefined ? null : idOf(flowRun, "flow-run.");
  if (flowRun !== undefined && flowRunId === null) return "its flow run has no proper id";
  const reading = payloadReader.check(payload);
  if ("problem" in reading) return reading.problem;
  const { validated_state: state, task_run } = reading.value;
  const name = labelOf(resource, "resource.name");
  return {
    eventId: event.id,
    occurred: event.occurred,
    taskRunId,
    flowRunId,
    name: name === undefined ? undefined : shortName(name),
    run: withShortName(task_run ?? {}),
    state,
  };
}

/** It has happened, so that a name which is too long is cut where it could not be refused. */
const shortName = (name: string): string => wellFormed(name.slice(0, MAX_NAME));

function withShortName(run: ReportedTaskRun): ReportedTaskRun {
  return run.name == null ? run : { ...run, name: shortName(run.name) };
}

const HEARTBEAT_SECONDS = 180;
const MAX_HEARTBEAT_SECONDS = 86_400;
const MISSED_HEARTBEATS = 3;

export interface Heartbeat {
  readonly flowRunId: string;
  /** For how long nothing need be heard of the run. */
  readonly silenceSeconds: number;
}

export function isHeartbeat(name: string): boolean {
  return withoutPrefix(name, "flow-run.heartbeat") === "";
}

/** Which run is alive, and for how long that is believed; the sender may say how often it tells. */
export function readHeartbeat({ resource, payload }: EventBody): Heartbeat | null {
  const flowRunId = idOf(resource, "flow-run.");
  if (flowRunId === null) return null;
  const { heartbeat_interval_seconds: told } = payload as {
    readonly heartbeat_interval_seconds?: unknown;
  };
  const isSound = typeof told === "number" && told > 0 && told <= MAX_HEARTBEAT_SECONDS;
  return { flowRunId, silenceSeconds: (isSound ? told : HEARTBEAT_SECONDS) * MISSED_HEARTBEATS };
}

/** The flow run that an event is about, if it is about one. */
export function flowRunOf(event: { readonly resource_id: string }): string | null {
  return idAfter(event.resource_id, "flow-run.");
}

function idOf(resource: ResourceLabels, kind: string): string | null {
  return idAfter(labelOf(resource, "resource.id") ?? "", kind);
}

function idAfter(text: string, kind: string): string | null {
  const id = withoutPrefix(text, kind);
  return id === null ? null : (normaliseUuid(id) ?? null);
}
