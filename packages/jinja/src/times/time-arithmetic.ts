import { divideToEven } from "../exact-decimal.ts";
import { TemplateError } from "../template-error.ts";
import { checkedWall } from "./calendar.ts";
import { DAY_MICROS, DateTime, Day, positionOf, TimeSpan } from "./time-kinds.ts";
import { addMicros } from "./zones.ts";

type Result = DateTime | Day | TimeSpan | bigint | number;

/** What comes of two values of which one is a time; null where nothing does. */
export function addTimeValues(operator: string, left: unknown, right: unknown): Result | null {
  if (operator === "-") return subtracted(left, right);
  if (operator === "+") return shifted(left, right) ?? shifted(right, left);
  if (operator === "*") return multiplied(left, right) ?? multiplied(right, left);
  return left instanceof TimeSpan ? divided(operator, left, right) : null;
}

function shifted(left: unknown, right: unknown): Result | null {
  if (!(right instanceof TimeSpan)) return null;
  if (left instanceof DateTime) return addMicros(left, right.micros);
  if (left instanceof TimeSpan) return spanOf(left.micros + right.micros);
  if (!(left instanceof Day)) return null;
  return new Day(checkedWall((left.days + daysIn(right)) * DAY_MICROS) / DAY_MICROS);
}

const LONGEST = 1_000_000_000n * DAY_MICROS;

/** As long as Python's spans may be: up to 999,999,999 days. */
function spanOf(micros: bigint | number): TimeSpan {
  if (!(micros < LONGEST && micros >= DAY_MICROS - LONGEST))
    throw new TemplateError("a span of time is longer than 999999999 days");
  return new TimeSpan(BigInt(micros));
}

const daysIn = ({ micros }: TimeSpan): bigint => {
  const rest = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  return (micros - rest) / DAY_MICROS;
};

function subtracted(left: unknown, right: unknown): Result | null {
  if (left instanceof DateTime && right instanceof DateTime) {
    if ((left.offset === null) !== (right.offset === null))
      throw new TemplateError("one of the times has no zone, so they cannot be subtracted");
    return new TimeSpan(positionOf(left) - positionOf(right));
  }
  if (left instanceof Day && right instanceof Day)
    return new TimeSpan((left.days - right.days) * DAY_MICROS);
  return right instanceof TimeSpan ? shifted(left, new TimeSpan(-right.micros)) : null;
}

function multiplied(left: unknown, right: unknown): TimeSpan | null {
  if (!(left instanceof TimeSpan)) return null;
  if (typeof right === "bigint") return spanOf(left.micros * right);
  return typeof right === "number" && Number.isFinite(right)
    ? spanOf(Math.round(Number(left.micros) * right))
    : null;
}

function divided(operator: string, left: TimeSpan, right: unknown): Result | null {
  const by = right instanceof TimeSpan ? right.micros : right;
  if (typeof by !== "bigint" && typeof by !== "number") return null;
  if (Number(by) === 0) throw new TemplateError("division by zero");
  if (operator === "/" && right instanceof TimeSpan) return Number(left.micros) / Number(by);
  if (operator === "/") {
    if (typeof by === "number") return spanOf(Math.round(Number(left.micros) / by));
    const isNegative = left.micros < 0n !== by < 0n;
    const size = divideToEven(left.micros < 0n ? -left.micros : left.micros, by < 0n ? -by : by);
    return new TimeSpan(isNegative ? -size : size);
  }
  if (typeof by !== "bigint") return null;
  const rest = ((left.micros % by) + by) % by;
  const whole = (left.micros - rest) / by;
  if (operator === "//") return right instanceof TimeSpan ? whole : new TimeSpan(whole);
  return operator === "%" && right instanceof TimeSpan ? new TimeSpan(rest) : null;
}
