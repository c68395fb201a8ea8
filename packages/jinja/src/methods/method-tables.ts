import { timeValueOf } from "../times/time-kinds.ts";
import {
  Dict,
  EnumMember,
  isSequence,
  isText,
  ObjectValue,
  Tuple,
  type Value,
} from "../values/kinds.ts";
import { isNumeric } from "../values/numbers.ts";
import { DICT_METHODS, REFUSED_OF_DICTS } from "./dict-methods.ts";
import { REFUSED_OF_LISTS, SEQUENCE_METHODS } from "./list-methods.ts";
import { type FoundMember, findMethod } from "./method.ts";
import { MODEL_METHODS } from "./model-methods.ts";
import { numberMember } from "./number-methods.ts";
import { textMethod } from "./text-methods.ts";
import { timeMember } from "./time-methods.ts";

/** What Python's object of the kind has by that name, as far as it only reads. */
export function methodOf(value: Value, name: string): FoundMember | "refused" | undefined {
  if (value instanceof EnumMember && (name === "value" || name === "name"))
    return { kind: "value", value: value.value };
  if (value instanceof ObjectValue)
    return value.isModel() ? findMethod(MODEL_METHODS, value, name) : undefined;
  if (isText(value)) return textMethod(value, name);
  if (value instanceof Dict)
    return REFUSED_OF_DICTS.has(name) ? "refused" : findMethod(DICT_METHODS, value, name);
  if (value instanceof Tuple && value.names.includes(name))
    return { kind: "value", value: value.items[value.names.indexOf(name)] ?? null };
  if (isSequence(value))
    return REFUSED_OF_LISTS.has(name) ? "refused" : findMethod(SEQUENCE_METHODS, value, name);
  if (isNumeric(value)) return numberMember(value, name);
  const time = timeValueOf(value);
  return time === null ? undefined : timeMember(time, name);
}
