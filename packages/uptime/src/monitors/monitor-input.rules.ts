// What is sent for a monitor, as it is kept: trimmed, without duplicates, within the bounds that no
// schema can state.

import { neverOccurs, validateSchedule } from "@orchestrator/calendar";
import { MAX_MONITOR_NAME, MAX_MONITOR_TAG, MAX_MONITOR_TAGS } from "@orchestrator/contract";
import { InvalidRequestError, type RequestProblem } from "@orchestrator/kernel/http";
import { type CheckConfig, findCheck } from "../checks/registry.ts";
import type { MonitorUpdate } from "../models.ts";
import { parseMonitorUrl } from "./monitor-url.rules.ts";

/** What people decide about a monitor. */
export interface MonitorConfig {
  readonly name: string;
  readonly url: string;
  readonly pipeline: readonly CheckConfig[];
  readonly interval: number;
  readonly schedule: string | null;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly tags: readonly string[];
  readonly confirm_down: number;
  readonly confirm_up: number;
}

export interface MonitorLimits {
  readonly minIntervalSeconds: number;
}

/** Only what was given; throws with all that is wrong with it. */
export function receiveMonitor(
  given: MonitorUpdate,
  { minIntervalSeconds }: MonitorLimits,
): Partial<MonitorConfig> {
  const problems: RequestProblem[] = [];
  const refuse = (field: string, msg: string): void => {
    problems.push(problemOf(field, msg));
  };
  const draft: { -readonly [Key in keyof MonitorConfig]?: MonitorConfig[Key] } = {};

  if (given.name != null) {
    draft.name = given.name.trim();
    const length = charactersIn(draft.name);
    if (length === 0) refuse("name", "a name has at least one character that is not white space");
    if (length > MAX_MONITOR_NAME)
      refuse("name", `a name has at most ${MAX_MONITOR_NAME} characters`);
  }
  if (given.url != null) {
    const received = parseMonitorUrl(given.url);
    if ("problem" in received) refuse("url", received.problem);
    else draft.url = received.value;
  }
  if (given.pipeline != null) {
    draft.pipeline = given.pipeline;
    for (const problem of pipelineProblems(given.pipeline)) refuse("pipeline", problem);
  }
  if (given.interval != null) {
    draft.interval = given.interval;
    if (given.interval < minIntervalSeconds)
      refuse("interval", `the shortest interval is ${minIntervalSeconds} seconds`);
  }
  if (given.tags != null) {
    draft.tags = [...new Set(given.tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
    if (draft.tags.length > MAX_MONITOR_TAGS)
      refuse("tags", `a monitor has at most ${MAX_MONITOR_TAGS} tags`);
    if (draft.tags.some((tag) => charactersIn(tag) > MAX_MONITOR_TAG))
      refuse("tags", `a tag has at most ${MAX_MONITOR_TAG} characters`);
  }
  if (given.schedule !== undefined) draft.schedule = given.schedule?.trim() ?? null;
  if (given.timezone != null) draft.timezone = given.timezone;
  if (given.enabled != null) draft.enabled = given.enabled;
  if (given.confirm_down != null) draft.confirm_down = given.confirm_down;
  if (given.confirm_up != null) draft.confirm_up = given.confirm_up;

  if (problems.length > 0) throw new InvalidRequestError(problems);
  return draft;
}

/**
 * A zone is looked at also where no schedule needs it yet. A schedule that never comes would never
 * be noticed.
 */
export function validateMonitorSchedule({
  schedule,
  timezone,
}: Pick<MonitorConfig, "schedule" | "timezone">): void {
  const cron = schedule ?? "* * * * *";
  const spec = { kind: "cron", cron, timezone, seconds: "first" } as const;
  const problem = validateSchedule(spec);
  if (problem === null) {
    if (!neverOccurs(spec)) return;
    throw invalid("schedule", "there is no such day");
  }
  const isZone =
    schedule === null ||
    validateSchedule({ kind: "cron", cron: schedule, timezone: "UTC", seconds: "first" }) === null;
  throw invalid(isZone ? "timezone" : "schedule", problem);
}

export function invalid(field: string, msg: string): InvalidRequestError {
  return new InvalidRequestError([problemOf(field, msg)]);
}

function problemOf(field: string, msg: string): RequestProblem {
  return { type: "value_error", loc: ["body", field], msg: `Value error, ${msg}` };
}

function* pipelineProblems(pipeline: readonly CheckConfig[]): Generator<string> {
  if (pipeline.filter(({ type }) => type === "heartbeat").length > 1)
    yield "a monitor has at most one heartbeat";
  for (const [index, check] of pipeline.entries())
    for (const problem of findCheck(check)?.problems?.(check) ?? [])
      yield `check ${index + 1} ${problem}`;
}

/** As a database counts them. */
const charactersIn = (text: string): number => Array.from(text).length;
