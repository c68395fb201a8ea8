// How much there is in a value when it is gone through to its ends. A list that holds another one
// twice weighs twice as much as that: to print it takes as long, however little memory it needs.

import { charactersOf, Dict, isSequence, isText, ObjectValue, type Value } from "./kinds.ts";
import { bitLengthOf, isSmall } from "./numbers.ts";

const CHARACTERS = 32;
const BITS = 64;
const known = new WeakMap<object, number>();

/** What was weighed in one go. What a thing holds may have changed when it is weighed again. */
type Weighed = Map<ObjectValue, number>;

export function weightOf(value: Value, weighed?: Weighed): number {
  if (isText(value)) return 1 + charactersOf(value).length / CHARACTERS;
  if (typeof value === "bigint" && !isSmall(value)) return 1 + bitLengthOf(value) / BITS;
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof ObjectValue)
    return weightOfThing(value, weighed ?? new Map<ObjectValue, number>());
  let weight = known.get(value);
  if (weight === undefined) {
    weight = weigh(value, weighed);
    known.set(value, weight);
  }
  return weight;
}

function weightOfThing(thing: ObjectValue, weighed: Weighed): number {
  const before = weighed.get(thing);
  if (before !== undefined) return before;
  // Whoever goes through one that holds itself never comes to an end.
  weighed.set(thing, Number.POSITIVE_INFINITY);
  const weight = sumOf(thing.parts(), weighed);
  weighed.set(thing, weight);
  return weight;
}

function weigh(
  value: Exclude<Value, string | boolean | bigint | number | null>,
  weighed: Weighed | undefined,
): number {
  if (isSequence(value)) return sumOf(value.items, weighed);
  if (value instanceof Dict)
    return value
      .entries()
      .reduce((sum, [key, member]) => sum + weightOf(key, weighed) + weightOf(member, weighed), 1);
  return 1;
}

function sumOf(values: readonly Value[], weighed: Weighed | undefined): number {
  return values.reduce<number>((sum, value) => sum + weightOf(value, weighed), 1);
}
