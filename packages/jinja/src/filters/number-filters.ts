import { fixedDigits, scaled } from "../exact-decimal.ts";
import { TemplateError } from "../template-error.ts";
import { TimeSpan, timeValueOf } from "../times/time-kinds.ts";
import { bindArguments, filter, textArgument, wholeArgument } from "../values/arguments.ts";
import { negated } from "../values/arithmetic.ts";
import { charactersOf, isText, Undefined, type Value } from "../values/kinds.ts";
import { isNumeric, plainNumber } from "../values/numbers.ts";
import { readFloat, readWhole } from "../values/reading-numbers.ts";
import type { TemplateFilter } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";
import { typeName } from "../values/type-names.ts";

const abs = filter("", (_run, value) => {
  const time = timeValueOf(value);
  const isNegative = isNumeric(value)
    ? Number(plainNumber(value)) < 0
    : time instanceof TimeSpan && time.micros < 0n;
  if (!isNumeric(value) && !(time instanceof TimeSpan))
    throw new TemplateError(`a ${typeName(value)} has no size`);
  return negated(value, isNegative ? "-" : "+");
});

const int: TemplateFilter = (_run, value, args) => {
  const [fallback = 0n, base] = bindArguments(args, ["default?", "base?"]);
  if (value instanceof Undefined) throw new TemplateError(`${value.what} is undefined`);
  const whole = wholeOf(value, wholeArgument(base, 10));
  return whole ?? fallback;
};

function wholeOf(value: Value, base: number): bigint | null {
  if (isText(value)) {
    const text = charactersOf(value);
    return readWhole(text, base) ?? truncated(readFloat(text));
  }
  if (!isNumeric(value)) return null;
  const number = plainNumber(value);
  return typeof number === "bigint" ? number : truncated(number);
}

const truncated = (number: number | null): bigint | null =>
  number === null || !Number.isFinite(number) ? null : BigInt(Math.trunc(number));

const float: TemplateFilter = (_run, value, args) => {
  const [fallback = 0] = bindArguments(args, ["default?"]);
  if (value instanceof Undefined) throw new TemplateError(`${value.what} is undefined`);
  if (isNumeric(value)) return Number(plainNumber(value));
  return (isText(value) ? readFloat(charactersOf(value)) : null) ?? fallback;
};

const round = filter("precision? method?", (_run, value, [digits, how]) => {
  if (!isNumeric(value)) throw new TemplateError(`a ${typeName(value)} cannot be rounded`);
  const precision = Math.max(-400, Math.min(400, wholeArgument(digits, 0)));
  const method = textArgument(how, "common");
  const number = plainNumber(value);
  if (method === "common") return roundToEven(number, precision);
  if (method !== "ceil" && method !== "floor")
    throw new TemplateError("numbers are rounded by 'common', 'ceil' or 'floor'");
  const power = 10 ** precision;
  return Math[method](Number(number) * power) / power + 0;
});

/** Whole numbers stay as they are, but for places before the point. */
function roundToEven(number: bigint | number, precision: number): bigint | number {
  if (typeof number === "number") return roundFloat(number, precision);
  if (precision >= 0) return number;
  const unit = 10n ** BigInt(-precision);
  const size = number < 0n ? -number : number;
  const half = size % unit;
  let whole = size - half;
  if (half * 2n > unit || (half * 2n === unit && (whole / unit) % 2n === 1n)) whole += unit;
  return number < 0n ? -whole : whole;
}

function roundFloat(number: number, precision: number): number {
  if (!Number.isFinite(number)) return number;
  const sign = number < 0 || Object.is(number, -0) ? -1 : 1;
  if (precision >= 0) return sign * Number(fixedDigits(number, precision));
  return sign * Number(scaled(number, precision) * 10n ** BigInt(-precision));
}

const DECIMAL = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];

const filesizeformat = filter("binary?", (_run, value, [binary = false]) => {
  const size = isText(value)
    ? readFloat(charactersOf(value))
    : isNumeric(value)
      ? Number(value)
      : null;
  if (size === null) throw new TemplateError("takes a number of bytes");
  const [base, units] = isTrue(binary) ? [1024, BINARY] : [1000, DECIMAL];
  if (size === 1) return "1 Byte";
  if (size < base) return `${Math.trunc(size)} Bytes`;
  const power = units.findIndex((_, index) => size < base ** (index + 2));
  const place = power === -1 ? units.length - 1 : power;
  return `${fixedDigits((base * size) / base ** (place + 2), 1)} ${units[place]}`;
});

export const NUMBER_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  abs,
  int,
  float,
  round,
  filesizeformat,
};
