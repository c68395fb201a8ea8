import type { DeploymentSchedule, Schedule } from "@orchestrator/contract";
import { durationLabel } from "../../lib/time.ts";
import { cronWords } from "./cron-words.ts";
import { rruleWords } from "./rrule-words.ts";

/** A schedule as one would say it; what cannot be said in a few words is shown as it is written. */
export function scheduleWords({ cron, interval, rrule, timezone }: Schedule): string {
  const zone = timezone && timezone !== "UTC" ? ` (${timezone})` : "";
  if (interval !== undefined) return `Every ${intervalWords(interval)}${zone}`;
  if (rrule !== undefined) return `${rruleWords(rrule)}${zone}`;
  return `${cronWords(cron ?? "")}${zone}`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
] as const;

/** To the last digit: two schedules that differ by a second are not the same. */
function intervalWords(interval: number): string {
  if (interval < 1) return durationLabel(interval);
  let left = interval;
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count === 0 ? [] : `${count}${unit}`;
  });
  const rest = Number(left.toFixed(6));
  return [...parts, ...(rest === 0 ? [] : [`${rest}s`])].join(" ");
}

/** What a schedule is beside its times; what is usual is not said. */
export function scheduleRemarks({
  slug,
  overlap,
  catchup,
  jitter_seconds,
  max_scheduled_runs,
  parameters,
}: DeploymentSchedule): string[] {
  const own = Object.keys(parameters).length;
  return [
    slug ?? "",
    OVERLAP_WORDS[overlap],
    CATCHUP_WORDS[catchup],
    jitter_seconds > 0 ? `up to ${intervalWords(jitter_seconds)} later` : "",
    max_scheduled_runs === null ? "" : `at most ${max_scheduled_runs} ahead`,
    own === 0 ? "" : `${own} ${own === 1 ? "parameter" : "parameters"} of its own`,
  ].filter((note) => note !== "");
}

const OVERLAP_WORDS: Readonly<Record<DeploymentSchedule["overlap"], string>> = {
  allow: "",
  skip: "skipped while an earlier run is active",
  queue: "waits for an earlier run",
  "cancel-running": "cancels an earlier run",
};

const CATCHUP_WORDS: Readonly<Record<DeploymentSchedule["catchup"], string>> = {
  none: "",
  latest: "catches up on the last missed run",
  all: "catches up on all missed runs",
};
