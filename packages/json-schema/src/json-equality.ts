import { isMap } from "@orchestrator/exact-json";
import { digitsOf, exactNumberOf } from "./exact-numbers.ts";

/**
 * A text that two values share exactly when they are the same JSON; the order of names does not
 * matter.
 */
export function comparableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(comparableJson).join(",")}]`;
  const number = exactNumberOf(value);
  if (number !== null) return digitsOf(number);
  if (!isMap(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${comparableJson(value[name])}`);
  return `{${members.join(",")}}`;
}
