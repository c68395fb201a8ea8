import { isMap } from "@orchestrator/exact-json";
import { digitsOf, numberIn } from "./exact-numbers.ts";

/** A text that two values share exactly when they are the same JSON; the order of names does not matter. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const number = numberIn(value);
  if (number !== null) return digitsOf(number);
  if (!isMap(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}
