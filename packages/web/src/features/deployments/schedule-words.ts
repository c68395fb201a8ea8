import type { DeploymentSchedule, Schedule } from "@orchestrator/contract";
import { lasting } from "../../lib/time.ts";
import { rruleWords } from "./rrule-words.ts";

const DAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];
const ALIASES: Readonly<Record<string, string>> = {
  "@hourly": "Every hour",
  "@daily": "Every day at 00:00",
  "@midnight": "Every day at 00:00",
  "@weekly": "Every Sunday at 00:00",
  "@monthly": "On day 1 of every month at 00:00",
  "@yearly": "Every year on 1 January",
  "@annually": "Every year on 1 January",
};

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
  if (interval < 1) return lasting(interval);
  let left = interval;
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count === 0 ? [] : `${count}${unit}`;
  });
  const rest = Number(left.toFixed(6));
  return [...parts, ...(rest === 0 ? [] : [`${rest}s`])].join(" ");
}

/** A step that does not go into the whole has a shorter one at its end, which is more than a few words. */
const stepOf = (field: string, whole: number): number | undefined => {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 && whole % step === 0 ? step : undefined;
};

/** What a schedule is beside its times; what is usual is not said. */
export function scheduleNotes({
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
  skip: "left out while an earlier run has not ended",
  queue: "waits for an earlier run",
  "cancel-running": "cancels an earlier run",
};

const CATCHUP_WORDS: Readonly<Record<DeploymentSchedule["catchup"], string>> = {
  none: "",
  latest: "catches up on the last time missed",
  all: "catches up on all times missed",
};

function cronWords(cron: string): string {
  const alias = ALIASES[cron];
  if (alias !== undefined) return alias;
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron
    .trim()
    .split(/\s+/);
  if (rest.length > 0 || month !== "*") return cron;
  if (hour === "*" && day === "*" && weekday === "*") {
    const step = stepOf(minute, 60);
    if (step !== undefined) return `Every ${step} minutes`;
    if (minute === "*" || minute === "*/1") return "Every minute";
    if (isNumber(minute)) return minute === "0" ? "Every hour" : `Every hour at minute ${minute}`;
    return cron;
  }
  if (!isNumber(minute)) return cron;
  const hours = stepOf(hour, 24);
  if (hours !== undefined && day === "*" && weekday === "*")
    return `Every ${hours} hours at minute ${minute}`;
  if (!isNumber(hour)) return cron;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day === "*" && weekday === "*") return `Every day at ${time}`;
  if (day === "*" && /^(1-5|mon-fri)$/i.test(weekday)) return `Monday to Friday at ${time}`;
  const named = dayOf(weekday);
  if (day === "*" && named !== undefined) return `Every ${named} at ${time}`;
  if (weekday === "*" && isNumber(day)) return `On day ${day} of every month at ${time}`;
  return cron;
}

/** `0`, `7` and `SUN` are the same. */
const dayOf = (weekday: string): string | undefined =>
  DAYS[Number(weekday)] ??
  (/^[a-z]{3}$/i.test(weekday)
    ? DAYS.find((day) => day.slice(0, 3).toLowerCase() === weekday.toLowerCase())
    : undefined);

const isNumber = (text: string): boolean => /^\d+$/.test(text);
