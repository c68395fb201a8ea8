// Texts with places in them such as %s and %.2f.

import { TemplateError } from "../template-error.ts";
import { toFloat } from "../values/arithmetic.ts";
import { charactersOf, Dict, isText, SafeText, Tuple, type Value } from "../values/kinds.ts";
import { escapeHtml } from "../values/markup.ts";
import type { Meter } from "../values/meter.ts";
import { isNumeric, plainNumber, wholeIn } from "../values/numbers.ts";
import { lengthOf, slicePoints } from "../values/points.ts";
import { printNested, printValue } from "../values/printing.ts";
import { spendWhole } from "../values/spending.ts";
import { typeName } from "../values/type-names.ts";
import { floatDigits, wholeDigits } from "./number-format.ts";

const PLACE =
  /%(?:\((?<name>[^()]*)\))?(?<flags>[-+ 0#]*)(?<width>\*|\d*)(?:\.(?<precision>\*|\d*))?[hlL]?(?<kind>[\s\S]|$)/g;
const MAX_DIGITS = 1000;

interface Place {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly kind: string;
}

/** `text % given`: a tuple fills several places, a dict those with names. */
export function formatPercent(meter: Meter, text: string, given: Value): string {
  const values = given instanceof Tuple ? given.items : [given];
  const isMap = given instanceof Dict;
  let next = 0;
  const take = (): Value => {
    const value = values[next];
    if (value === undefined)
      throw new TemplateError("not enough values for the places of the text");
    next += 1;
    return value;
  };
  const number = (digits: string | undefined): number =>
    digits === "*" ? Number(wholeIn(take()) ?? 0n) : Number(digits ?? 0);
  const fill = (place: Place, value: Value): string => {
    spendWhole(meter, value);
    return filled(place, value);
  };
  const result = text.replace(PLACE, (_found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { name, flags = "", width, precision, kind = "" } = groups;
    if (kind === "%") return "%";
    const place: Place = {
      flags,
      kind,
      width: number(width),
      precision: precision === undefined ? null : number(precision),
    };
    meter.spendText(Math.abs(place.width) + (place.precision ?? 0));
    if (name === undefined) return fill(place, take());
    if (!isMap) throw new TemplateError("places with names are filled from a dict");
    const value = given.get(name);
    if (value === undefined) throw new TemplateError(`there is no value named '${name}'`);
    next = 1;
    return fill(place, value);
  });
  if (next < values.length && !isMap)
    throw new TemplateError("not all values were used in the places of the text");
  meter.spendText(result.length);
  return result;
}

/** In text that is safe, what fills its places is made safe as well. */
export function formatMarkup(meter: Meter, text: string, given: Value): SafeText {
  const safe = (value: Value): Value => {
    if (isText(value))
      return value instanceof SafeText ? value.text : escapeHtml(charactersOf(value));
    if (value instanceof Tuple) return new Tuple(value.items.map(safe));
    if (value instanceof Dict)
      return Dict.of(value.entries().map(([key, each]) => [key, safe(each)]));
    return isNumeric(value) ? value : escapeHtml(printValue(value));
  };
  return new SafeText(formatPercent(meter, text, safe(given)));
}

function filled(place: Place, value: Value): string {
  const { kind, precision } = place;
  switch (kind) {
    case "s":
    case "r":
    case "a": {
      const text = kind === "s" ? printValue(value) : printNested(value);
      return widened(place, "", precision === null ? text : slicePoints(text, 0, precision));
    }
    case "c": {
      const code = wholeIn(value);
      if (code === null && !(isText(value) && lengthOf(charactersOf(value)) === 1))
        throw new TemplateError("%c takes a character or its number");
      return widened(
        place,
        "",
        code === null ? printValue(value) : String.fromCodePoint(Number(code)),
      );
    }
    default:
      return filledNumber(place, value);
  }
}

function filledNumber(place: Place, value: Value): string {
  const { kind, flags, precision } = place;
  if (!"diuoxXeEfFgG".includes(kind) || kind === "")
    throw new TemplateError(
      kind === "" ? "the text ends within a place" : `'%${kind}' is no place of a text`,
    );
  if (!isNumeric(value))
    throw new TemplateError(`%${kind} takes a number, not a ${typeName(value)}`);
  if ((precision ?? 0) > MAX_DIGITS)
    throw new TemplateError(`a number has more than ${MAX_DIGITS} digits`);
  const number = plainNumber(value);
  const isNegative = typeof number === "bigint" ? number < 0n : number < 0 || Object.is(number, -0);
  const isAlternate = flags.includes("#");
  const sign = isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  if ("eEfFgG".includes(kind)) {
    const style = { letter: kind, precision: precision ?? 6, isAlternate };
    return widened(place, sign, floatDigits(toFloat(number), style));
  }
  if (typeof number === "number" && !"diu".includes(kind))
    throw new TemplateError(`%${kind} takes a whole number`);
  const whole = wholeOf(number);
  const digits = wholeDigits(whole, kind, false).padStart(precision ?? 0, "0");
  const prefix = isAlternate && "oxX".includes(kind) ? `0${kind}` : "";
  return widened(place, (whole === 0n && isNegative ? "" : sign) + prefix, digits);
}

function wholeOf(number: bigint | number): bigint {
  if (typeof number === "bigint") return number;
  if (!Number.isFinite(number)) throw new TemplateError("an endless number is no whole one");
  return BigInt(Math.trunc(number));
}

function widened({ flags, width, kind }: Place, sign: string, text: string): string {
  const room = Math.max(Math.abs(width) - lengthOf(sign) - lengthOf(text), 0);
  if (flags.includes("-") || width < 0) return sign + text + " ".repeat(room);
  const isNumber = !"srac".includes(kind);
  if (isNumber && flags.includes("0")) return sign + "0".repeat(room) + text;
  return " ".repeat(room) + sign + text;
}
