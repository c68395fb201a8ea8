// Values as Python prints them: `str` for what stands alone, `repr` within lists and dicts.

import { floatText } from "../exact-decimal.ts";
import { TemplateError } from "../template-error.ts";
import { timeValueOf } from "../times/time-kinds.ts";
import { shownTime, timeValueText } from "../times/time-text.ts";
import {
  Callable,
  charactersOf,
  Dict,
  DictView,
  EnumMember,
  isText,
  List,
  ObjectValue,
  RangeValue,
  SafeText,
  Tuple,
  Undefined,
  type Value,
} from "./kinds.ts";
import { wholeText } from "./numbers.ts";
import { quotedText } from "./quoted-text.ts";

const MAX_DEPTH = 200;

/** What a value is when it is printed by itself. */
export function printValue(value: Value): string {
  if (typeof value === "string") return value;
  if (value instanceof SafeText) return value.text;
  if (value instanceof Undefined) return "";
  if (value instanceof EnumMember) return `${value.type}.${value.value}`;
  if (value instanceof ObjectValue) return value.text((inner) => printNested(inner));
  const time = timeValueOf(value);
  return time === null ? printNested(value) : timeValueText(time);
}

/**
 * The characters of a text, also of a member of an enumeration, which prints otherwise; any other
 * value as it prints.
 */
export const softTextOf = (value: Value): string =>
  isText(value) ? charactersOf(value) : printValue(value);

/** What a value is within others. */
export function printNested(value: Value, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TemplateError(`values are nested more than ${MAX_DEPTH} deep`);
  if (typeof value === "string") return quotedText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return wholeText(value);
  if (typeof value === "number") return floatText(value);
  if (value === null) return "None";
  const each = (items: readonly Value[]): string =>
    items.map((item) => printNested(item, depth + 1)).join(", ");
  if (value instanceof SafeText) return `Markup(${quotedText(value.text)})`;
  if (value instanceof List) return `[${each(value.items)}]`;
  if (value instanceof Tuple) return `(${each(value.items)}${value.items.length === 1 ? "," : ""})`;
  if (value instanceof Dict) return `{${pairs(value, depth)}}`;
  if (value instanceof DictView) return `dict_${value.part}([${each(value.items)}])`;
  if (value instanceof RangeValue)
    return `range(${value.start}, ${value.stop}${value.step === 1n ? "" : `, ${value.step}`})`;
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof EnumMember) return `${value.type}.${value.value}`;
  if (value instanceof Callable) return `<function ${value.name}>`;
  if (value instanceof ObjectValue) return value.shown((inner) => printNested(inner, depth + 1));
  return shownTime(value);
}

function pairs(dict: Dict, depth: number): string {
  return dict
    .entries()
    .map(([key, value]) => `${printNested(key, depth + 1)}: ${printNested(value, depth + 1)}`)
    .join(", ");
}
