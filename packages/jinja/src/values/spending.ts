// What work on values costs.

import { TemplateError } from "../template-error.ts";
import { type Arguments, charactersOf, Dict, isSequence, isText, type Value } from "./kinds.ts";
import { MAX_TEXT_CHARACTERS, type Meter } from "./meter.ts";
import { weightOf } from "./weight.ts";

const MAX_WEIGHT = 500_000;

/** Filters that look at the items of a list, and not into them. */
const SHALLOW: ReadonlySet<string> = new Set([
  "attr",
  "batch",
  "count",
  "d",
  "default",
  "dictsort",
  "first",
  "items",
  "last",
  "length",
  "list",
  "map",
  "random",
  "reject",
  "rejectattr",
  "reverse",
  "select",
  "selectattr",
  "slice",
]);

/** Filters that do not even look at the keys of a dict. */
const SIZED: ReadonlySet<string> = new Set(["attr", "count", "d", "default", "length"]);

/** Before a value is gone through to its ends: printed, compared or looked up by what is in it. */
export function spendWhole(meter: Meter, value: Value): void {
  meter.spend(weightOf(value));
}

/** Before something is done with the characters of a text. */
export function spendCharacters(meter: Meter, value: Value): void {
  if (isText(value)) meter.spend(charactersOf(value).length / 4);
}

/** Before a value is compared with each item of a list. */
export function spendComparing(meter: Meter, items: readonly Value[], value: Value): void {
  const most = weightOf(value);
  for (const item of items) meter.spend(Math.min(most, weightOf(item)) / 8);
}

/** Before a text is sought in another: at each place the two may differ only at the end. */
export function spendSearch(meter: Meter, text: string, sought: string): void {
  meter.spend((text.length * sought.length) / 1024);
}

export function spendArguments(meter: Meter, { positional, named }: Arguments): void {
  for (const value of positional) spendWhole(meter, value);
  for (const value of named.values()) spendWhole(meter, value);
}

export function spendFilter(meter: Meter, name: string, value: Value): void {
  spendCharacters(meter, value);
  if (!SHALLOW.has(name)) spendWhole(meter, value);
  else if (isSequence(value)) meter.spend(value.items.length / 4);
  else if (value instanceof Dict && !SIZED.has(name)) meter.spend(value.size);
}

/** What holds the same many times over is refused as if it held as many. */
export function bounded(value: Value): Value {
  const isLarge = isText(value)
    ? charactersOf(value).length > MAX_TEXT_CHARACTERS
    : typeof value === "object" && weightOf(value) > MAX_WEIGHT;
  if (isLarge)
    throw new TemplateError("the template takes too much memory to render: a value holds too much");
  return value;
}
