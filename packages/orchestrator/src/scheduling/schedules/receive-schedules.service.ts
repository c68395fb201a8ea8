// Schedules as they arrive.

import { anchorProblem, findZone } from "@orchestrator/calendar";
import type { Schedule } from "@orchestrator/contract";
import type { Compute } from "@orchestrator/kernel/compute";
import { InvalidRequestError, type RequestProblem } from "@orchestrator/kernel/http";
import { formatMicros, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import { computeCheck } from "../times/compute-schedules.ts";
import { calendarOf, DEFAULT_ZONE, type Receiving } from "../times/schedules.rules.ts";

/** Reading stops here: a schedule that never occurs takes the longest of all to read. */
const MOST_PROBLEMS = 10;

/** Which keys each kind has, its own first. */
const KEYS = {
  cron: ["cron", "day_or", "timezone"],
  interval: ["interval", "anchor_date", "timezone"],
  rrule: ["rrule", "timezone"],
} as const;
type Kind = keyof typeof KEYS;
const KINDS = Object.keys(KEYS) as Kind[];

export type Location = readonly (string | number)[];

/** A schedule and where in the request it stands. */
export interface ReceivedSchedule {
  readonly schedule: Schedule;
  readonly loc: Location;
}

/** The schedules as they are stored, or the first problems with them. */
export async function receiveSchedules(
  compute: Compute,
  received: readonly ReceivedSchedule[],
  receiving: Receiving,
): Promise<Schedule[]> {
  const turn = yieldingBetweenSteps();
  const read: Schedule[] = [];
  const problems: RequestProblem[] = [];
  for (const one of received) {
    const { stored, problem } = await receive(compute, one, receiving);
    if (stored !== undefined) read.push(stored);
    if (problem !== undefined && problems.push(problem) === MOST_PROBLEMS) break;
    await turn();
  }
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return read;
}

export async function receiveSchedule(
  compute: Compute,
  received: ReceivedSchedule,
  receiving: Receiving,
): Promise<Schedule> {
  const { stored, problem } = await receive(compute, received, receiving);
  if (stored === undefined) throw new InvalidRequestError(problem === undefined ? [] : [problem]);
  return stored;
}

interface Received {
  readonly stored?: Schedule;
  readonly problem?: RequestProblem;
}

async function receive(
  compute: Compute,
  { schedule, loc }: ReceivedSchedule,
  receiving: Receiving,
): Promise<Received> {
  const { nowMicros } = receiving;
  const kinds = KINDS.filter((kind) => schedule[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const msg = `Exactly one of ${KINDS.join(", ")} says when a schedule recurs`;
    return { problem: valueError(msg, { loc, input: schedule }) };
  }
  const known: readonly string[] = KEYS[kind];
  for (const [key, input] of Object.entries(schedule)) {
    if (known.includes(key)) continue;
    const msg = `A schedule with ${kind} has no ${key}`;
    return { problem: { type: "extra_forbidden", loc: [...loc, key], msg, input } };
  }
  // A form, or a file, where nobody filled it in.
  const timezone = schedule.timezone === "" ? null : (schedule.timezone ?? null);
  const zoneProblem = timezone === null ? null : findZone(timezone).problem;
  if (zoneProblem !== null)
    return { problem: valueError(zoneProblem, { loc: [...loc, "timezone"], input: timezone }) };
  const completed = complete({ ...schedule, timezone }, { kind, nowMicros });
  const calendar = calendarOf(completed);
  const wrongAnchor = calendar.kind === "interval" ? anchorProblem(calendar.anchorMicros) : null;
  if (wrongAnchor !== null) {
    const where = { loc: [...loc, "anchor_date"], input: schedule.anchor_date };
    return { problem: valueError(wrongAnchor, where) };
  }
  const checked = await computeCheck(compute, { ...receiving, schedule: completed });
  if (checked.stored !== null) return { stored: checked.stored };
  return { problem: valueError(checked.problem, { loc: [...loc, kind], input: schedule[kind] }) };
}

function valueError(
  msg: string,
  { loc, input }: { readonly loc: Location; readonly input: unknown },
): RequestProblem {
  return { type: "value_error", loc, msg: `Value error, ${msg}`, input };
}

/** With every key of its kind. */
function complete(
  { cron, day_or, interval, anchor_date, rrule, timezone }: Schedule,
  { kind, nowMicros }: { readonly kind: Kind; readonly nowMicros: number },
): Schedule {
  switch (kind) {
    case "cron":
      return { cron: cron ?? "", timezone: timezone ?? null, day_or: day_or ?? true };
    case "interval":
      return {
        interval: interval ?? 0,
        anchor_date: anchor_date ?? formatMicros(nowMicros),
        timezone: timezone ?? DEFAULT_ZONE,
      };
    case "rrule":
      return { rrule: rrule ?? "", timezone: timezone ?? DEFAULT_ZONE };
  }
}
