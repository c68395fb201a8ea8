const MINUTE = 60;
const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400],
  ["h", 3600],
  ["m", MINUTE],
  ["s", 1],
];

/** `3m ago`, `in 2h`; a dash where there is no time. */
export function timeAgo(time: string | null | undefined, now = Date.now()): string {
  if (!time) return "–";
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  if (seconds === 0) return "now";
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["s", 1];
  const count = Math.floor(Math.abs(seconds) / size);
  return seconds > 0 ? `${count}${unit} ago` : `in ${count}${unit}`;
}

/** `2026-11-17T11:24:43Z`: what happened within a second stands in its order anyway. */
export const toWholeSeconds = (time: string): string => time.replace(/\.\d+(?=Z$)/, "");

/** `1m 20s`, `350ms`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  return partsOf(seconds).slice(0, 2).join(" ");
}

/** `1d 1h 1m 1.5s`: to the last digit, where two that are nearly the same are not the same. */
export function formatExactDuration(seconds: number): string {
  if (seconds < 1) return `${Number((seconds * 1000).toFixed(3))}ms`;
  const rest = Number((seconds % MINUTE).toFixed(6));
  return [...partsOf(seconds - rest), ...(rest === 0 ? [] : [`${rest}s`])].join(" ");
}

function partsOf(seconds: number): string[] {
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts;
}
