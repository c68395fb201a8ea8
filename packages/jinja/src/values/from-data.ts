// What a template is given, as its own values. Only data goes through: what an object has of its
// own, and nothing that runs.

import { isFloat } from "@orchestrator/exact-json";
import { timeValueOf } from "../times/time-kinds.ts";
import {
  Dict,
  EnumMember,
  isSequence,
  List,
  ObjectValue,
  SafeText,
  Undefined,
  type Value,
} from "./kinds.ts";

export function fromData(data: unknown): Value {
  switch (typeof data) {
    case "string":
    case "boolean":
    case "bigint":
      return data;
    case "number":
      // JSON's whole numbers that are longer come as `bigint`: any other was written with a
      // fraction or a power.
      return Number.isSafeInteger(data) && !Object.is(data, -0) ? BigInt(data) : data;
    case "object":
      return data === null ? null : fromObject(data);
    case "undefined":
      return null;
    case "function":
      return isFloat(data) ? data() : new Undefined("what is no data");
    case "symbol":
      return new Undefined("what is no data");
  }
}

function fromObject(data: object): Value {
  if (Array.isArray(data)) return new List(data.map(fromData));
  if (isOwnKind(data as Value)) return data as Value;
  if (data instanceof Map)
    return Dict.of([...data].map(([key, value]) => [fromData(key), fromData(value)] as const));
  const prototype: unknown = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== null) return new Undefined("what is no data");
  return Dict.from(data as Readonly<Record<string, unknown>>, fromData);
}

function isOwnKind(value: Value): boolean {
  return (
    value instanceof ObjectValue ||
    value instanceof Dict ||
    value instanceof EnumMember ||
    value instanceof SafeText ||
    value instanceof Undefined ||
    isSequence(value) ||
    timeValueOf(value) !== null
  );
}
