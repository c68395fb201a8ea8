// What stands behind the colon in `{:>10,.2f}`.

import { floatText } from "../exact-decimal.ts";
import { TemplateError } from "../template-error.ts";
import { formatTime } from "../times/strftime.ts";
import { timeValueOf } from "../times/time-kinds.ts";
import { toFloat } from "../values/arithmetic.ts";
import { charactersOf, EnumMember, isText, type Value } from "../values/kinds.ts";
import type { Meter } from "../values/meter.ts";
import { isNumeric, plainNumber } from "../values/numbers.ts";
import { lengthOf, slicePoints } from "../values/points.ts";
import { printValue } from "../values/printing.ts";
import { typeName } from "../values/type-names.ts";
import { floatDigits, grouped, wholeDigits } from "./number-format.ts";

const SPEC =
  /^(?:(?<fill>.)?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<alternate>#)?(?<zero>0)?(?<width>\d{1,9})?(?<group>[,_])?(?:\.(?<precision>\d{1,9}))?(?<type>[a-zA-Z%])?$/su;

interface Spec {
  readonly fill: string;
  readonly align: string | null;
  readonly sign: string;
  readonly isAlternate: boolean;
  readonly width: number;
  readonly group: string | null;
  readonly precision: number | null;
  readonly type: string | null;
}

/** The digits of a number that no one reads would be many. */
const MAX_PRECISION = 1000;

export function formatValue(meter: Meter, value: Value, spec: string): string {
  const time = timeValueOf(value);
  if (time !== null && spec !== "") {
    const text = formatTime(time, spec);
    meter.spend(text.length);
    return text;
  }
  const isPlain = !isNumeric(value) && !isText(value);
  if (spec === "" || (typeof value === "boolean" && spec === "")) return printValue(value);
  if (isPlain) throw new TemplateError(`a ${typeName(value)} cannot be formatted by '${spec}'`);
  const read = readSpec(spec);
  meter.spendText(read.width + (read.precision ?? 0));
  if (isNumeric(value)) return formatNumber(plainNumber(value), read);
  return formatText(value instanceof EnumMember ? value.value : charactersOf(value), read, spec);
}

function readSpec(spec: string): Spec {
  const groups = SPEC.exec(spec)?.groups;
  if (groups === undefined) throw new TemplateError(`'${spec.slice(0, 50)}' is no format`);
  const { fill, align, sign, alternate, zero, width, group, precision, type } = groups;
  const digits = precision === undefined ? null : Number(precision);
  if ((digits ?? 0) > MAX_PRECISION && type !== undefined && type !== "s")
    throw new TemplateError(`a number has more than ${MAX_PRECISION} digits`);
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: align ?? (zero === undefined ? null : "="),
    sign: sign ?? "-",
    isAlternate: alternate !== undefined,
    width: Number(width ?? 0),
    group: group ?? null,
    precision: digits,
    type: type ?? null,
  };
}

function formatText(text: string, spec: Spec, source: string): string {
  if (
    (spec.type ?? "s") !== "s" ||
    spec.sign !== "-" ||
    spec.group !== null ||
    (spec.align === "=" && !source.startsWith("0"))
  )
    throw new TemplateError(`a text cannot be formatted by '${source}'`);
  const cut = spec.precision === null ? text : slicePoints(text, 0, spec.precision);
  return aligned("", cut, {
    ...spec,
    align: spec.align === "=" || spec.align === null ? "<" : spec.align,
  });
}

function formatNumber(value: bigint | number, spec: Spec): string {
  const isNegative = typeof value === "bigint" ? value < 0n : value < 0 || Object.is(value, -0);
  const sign = isNegative ? "-" : spec.sign === "-" ? "" : spec.sign;
  const digits = numberDigits(value, spec);
  return aligned(sign, digits, { ...spec, align: spec.align ?? ">" });
}

const FLOAT_LETTERS = "eEfFgG%";

function numberDigits(value: bigint | number, spec: Spec): string {
  const { type, precision, isAlternate, group } = spec;
  const isFloat = typeof value === "number" || (type !== null && FLOAT_LETTERS.includes(type));
  if (!isFloat) {
    if (precision !== null) throw new TemplateError("whole numbers have no precision");
    if (type === "c") return String.fromCodePoint(Number(value));
    if (!"bdoxXn".includes(type ?? "d"))
      throw new TemplateError(`a whole number cannot be formatted by '${type}'`);
    const digits = wholeDigits(value, type ?? "d", false);
    const prefix = isAlternate
      ? wholeDigits(value, type ?? "d", true).slice(0, -digits.length)
      : "";
    const size = "boxX".includes(type ?? "d") ? 4 : 3;
    return prefix + (group === null ? digits : grouped(digits, group, size));
  }
  const number = Math.abs(toFloat(value));
  const digits = floatPart(number, spec);
  return group === null || !Number.isFinite(number) ? digits : grouped(digits, group);
}

function floatPart(number: number, { type, precision, isAlternate }: Spec): string {
  if (type === "%")
    return `${floatDigits(number * 100, { letter: "f", precision: precision ?? 6, isAlternate })}%`;
  if (type === null) {
    if (precision === null) return floatText(number);
    const text = floatDigits(number, { letter: "g", precision, isAlternate });
    // Without a letter a number keeps one digit behind its point.
    return /^\d+$/.test(text) && text.length < Math.max(precision, 1) + (precision > 1 ? 0 : 1)
      ? `${text}.0`
      : text;
  }
  if (!FLOAT_LETTERS.includes(type) && type !== "n")
    throw new TemplateError(`a number with a fraction cannot be formatted by '${type}'`);
  const letter = type === "n" ? "g" : type;
  return floatDigits(number, { letter, precision: precision ?? 6, isAlternate });
}

function aligned(sign: string, text: string, { fill, align, width }: Spec): string {
  const room = Math.max(0, width - lengthOf(sign) - lengthOf(text));
  switch (align) {
    case "<":
      return sign + text + fill.repeat(room);
    case "^": {
      const left = Math.floor(room / 2);
      return fill.repeat(left) + sign + text + fill.repeat(room - left);
    }
    case "=":
      return sign + fill.repeat(room) + text;
    case null:
    default:
      return fill.repeat(room) + sign + text;
  }
}
