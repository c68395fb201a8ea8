import { TimeSpan, timeValueOf } from "../times/time-kinds.ts";
import {
  charactersOf,
  Dict,
  isSequence,
  isText,
  ObjectValue,
  Undefined,
  type Value,
} from "./kinds.ts";

/** Whether a value counts as true: what is empty, zero or not there does not. */
export function isTrue(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (value === null || value instanceof Undefined) return false;
  if (typeof value === "bigint") return value !== 0n;
  if (typeof value === "number") return value !== 0;
  if (isText(value)) return charactersOf(value) !== "";
  if (isSequence(value)) return value.items.length > 0;
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof ObjectValue) return value.size() !== 0;
  const time = timeValueOf(value);
  return !(time instanceof TimeSpan) || time.micros !== 0n;
}
