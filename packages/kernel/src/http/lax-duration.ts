const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const ISO =
  /^([+-])?P(?=.)(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=.)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const CLOCK = /^([+-])?(?:(\d+) ?d(?:ays?)?,? ?)?(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/i;

/** The longest span other implementations of this interface can hold: 999999999 days. */
const LONGEST_SECONDS = 999_999_999 * 86_400;

/**
 * Seconds from a number, a numeric text, an ISO-8601 duration (`PT5M`, `P1DT2H`) or a clock
 * (`00:05:00`, `1 day, 0:00:01`); undefined when it is no duration.
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
    const [, sign, weeks, days, hours, minutes, seconds] = iso;
    return total(
      sign,
      [weeks, 604_800],
      [days, 86_400],
      [hours, 3600],
      [minutes, 60],
      [seconds, 1],
    );
  }
  const clock = CLOCK.exec(text);
  if (clock === null || Number(clock[4]) > 59 || Number(clock[5] ?? "0") >= 60) return undefined;
  const [, sign, days, hours, minutes, seconds] = clock;
  const time = total(undefined, [hours, 3600], [minutes, 60], [seconds, 1]);
  const whole = total(sign, [days, 86_400]);
  // `-1 day, 23:59:59` is how Python writes minus one second: the sign belongs to the days alone.
  return sign === "-" && !text.includes(",") ? whole - time : whole + time;
}

function total(
  sign: string | undefined,
  ...parts: readonly (readonly [string | undefined, number])[]
): number {
  let seconds = 0;
  for (const [amount, unit] of parts) seconds += Number(amount ?? "0") * unit;
  return sign === "-" ? -seconds : seconds;
}
