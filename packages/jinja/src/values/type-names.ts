import { ClockTime, DateTime, Day, TimeSpan } from "../times/time-kinds.ts";
import {
  Callable,
  DictView,
  EnumMember,
  List,
  ObjectValue,
  RangeValue,
  SafeText,
  Tuple,
  Undefined,
  type Value,
} from "./kinds.ts";

/** As Python names the type, for messages. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  return typeof value === "number" ? "float" : objectType(value);
}

const CLASSES = [
  [SafeText, "Markup"],
  [List, "list"],
  [Tuple, "tuple"],
  [RangeValue, "range"],
  [Undefined, "undefined"],
  [Callable, "function"],
  [DateTime, "datetime"],
  [Day, "date"],
  [ClockTime, "time"],
  [TimeSpan, "timedelta"],
] as const;

function objectType(value: Exclude<Value, string | boolean | bigint | number>): string {
  if (value === null) return "NoneType";
  if (value instanceof ObjectValue || value instanceof EnumMember) return value.type;
  if (value instanceof DictView) return `dict_${value.part}`;
  return CLASSES.find(([kind]) => value instanceof kind)?.[1] ?? "dict";
}
