import type { Schedule } from "@orchestrator/contract";
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
  if (interval !== undefined) return `Every ${lasting(interval)}${zone}`;
  if (rrule !== undefined) return `${rruleWords(rrule)}${zone}`;
  return `${cronWords(cron ?? "")}${zone}`;
}

function cronWords(cron: string): string {
  const alias = ALIASES[cron];
  if (alias !== undefined) return alias;
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron
    .trim()
    .split(/\s+/);
  if (rest.length > 0 || month !== "*") return cron;
  const every = /^\*\/(\d+)$/;
  if (hour === "*" && day === "*" && weekday === "*") {
    const step = every.exec(minute)?.[1];
    if (step !== undefined) return `Every ${step} minutes`;
    if (minute === "*") return "Every minute";
    if (isNumber(minute)) return minute === "0" ? "Every hour" : `Every hour at minute ${minute}`;
    return cron;
  }
  if (!isNumber(minute)) return cron;
  const hours = every.exec(hour)?.[1];
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
