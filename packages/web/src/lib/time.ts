// Times for people: how long ago, how long it took, and the exact moment in the zone of whoever
// looks.

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** Of whoever looks: all times are shown in it. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});
const today = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

export function timeAgoLabel(time: string | number, now = Date.now()): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000);
  const [unit, size] =
    UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

/** In the viewer's zone, and in UTC. */
export function exactly(time: string | number): string {
  const date = new Date(time);
  return `${exact.format(date)} (${date.toISOString().slice(0, 19).replace("T", " ")} UTC)`;
}

export const shortly = (time: string | number): string => short.format(new Date(time));

/** To the second, in the viewer's zone. */
export const timeLabel = (time: string | number): string => clock.format(new Date(time));

export const isToday = (time: string | number): boolean =>
  new Date(time).toDateString() === new Date().toDateString();

/** The same without the day where that is today. */
export const shortTimeLabel = (time: string | number): string =>
  isToday(time) ? today.format(new Date(time)) : timeLabel(time);

/** `3m 20s`, `1.2s`, `80ms`: two units at most. */
export function durationLabel(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const [d, h, m, s] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const parts = [d && `${d}d`, h && `${h}h`, m && `${m}m`, s && `${s}s`].filter(Boolean);
  return parts.slice(0, 2).join(" ") || "0s";
}
