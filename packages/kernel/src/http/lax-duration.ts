const DAY = 86_400;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const ISO = isoPattern();
const CLOCK = /^([+-])?(?:(\d+) ?d(?:ays?)?,? ?)?(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/i;
const DAYS = /^([+-])?(\d+) ?d(?:ays?)?$/i;

/** The longest span other implementations of this interface can hold: 999999999 days. */
const LONGEST_SECONDS = 999_999_999 * DAY;

/**
 * Seconds from a number, a numeric text, an ISO-8601 duration (`PT5M`, `P1DT2H`; a year has 365
 * days and a month 30), a clock (`00:05:00`, `1 day, 0:00:01`) or days (`2 days`); undefined when
 * it is no duration.
 */
export function normaliseDuration(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? fromText(value.trim()) : value;
  if (typeof seconds !== "number" || !(Math.abs(seconds) <= LONGEST_SECONDS)) return undefined;
  return seconds;
}

function fromText(text: string): number | undefined {
  if (NUMERIC.test(text)) return Number(text);
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, sign, years, months, weeks, days, hours, minutes, seconds] = iso;
    return total(
      sign,
      [years, 365 * DAY],
      [months, 30 * DAY],
      [weeks, 7 * DAY],
      [days, DAY],
      [hours, 3600],
      [minutes, 60],
      [seconds, 1],
    );
  }
  const whole = DAYS.exec(text);
  if (whole !== null) return total(whole[1], [whole[2], DAY]);
  const clock = CLOCK.exec(text);
  if (clock === null || Number(clock[4]) > 59 || Number(clock[5] ?? "0") >= 60) return undefined;
  const [, sign, days, hours, minutes, seconds] = clock;
  const time = total(undefined, [hours, 3600], [minutes, 60], [seconds, 1]);
  const before = total(sign, [days, DAY]);
  // `-1 day, 23:59:59` is how Python writes minus one second: the sign belongs to the days alone.
  return sign === "-" && !text.includes(",") ? before - time : before + time;
}

function total(
  sign: string | undefined,
  ...parts: readonly (readonly [string | undefined, number])[]
): number {
  let seconds = 0;
  for (const [amount, unit] of parts) seconds += Number((amount ?? "0").replace(",", ".")) * unit;
  return sign === "-" ? -seconds : seconds;
}

function isoPattern(): RegExp {
  const part = (unit: string): string => String.raw`(?:(\d+(?:[.,]\d+)?)${unit})?`;
  const days = ["Y", "M", "W", "D"].map(part).join("");
  const time = ["H", "M", "S"].map(part).join("");
  return new RegExp(`^([+-])?P(?=.)${days}(?:T(?=.)${time})?$`);
}
