// Attributes and items: `a.b` and `a["b"]`. Each tries the other way as well, in its own order.

import {
  Callable,
  charactersOf,
  Dict,
  isText,
  ObjectValue,
  orElse,
  Undefined,
  type Value,
} from "../values/kinds.ts";
import { isSmall, wholeIn } from "../values/numbers.ts";
import type { RenderRun } from "../values/run.ts";
import { itemAt, SliceBounds, sliceOf } from "../values/slicing.ts";
import { spendWhole } from "../values/spending.ts";
import { typeName } from "../values/type-names.ts";
import { methodOf } from "./method-tables.ts";

export function memberOf(run: RenderRun, value: Value, name: string): Value {
  if (value instanceof Undefined) return value;
  const attribute = findAttribute(run, value, name);
  return orElse(attribute === undefined ? findItem(value, name) : attribute, missing(value, name));
}

export function itemOf(run: RenderRun, value: Value, key: Value): Value {
  if (value instanceof Undefined) return value;
  if (value instanceof Dict) spendWhole(run.meter, key);
  const item = findItem(value, key);
  if (item !== undefined) return item;
  if (!isText(key)) return missing(value, placeName(key));
  const name = charactersOf(key);
  return orElse(findAttribute(run, value, name), missing(value, name));
}

/** A long number is not worth writing. */
function placeName(key: Value): string {
  const place = wholeIn(key);
  return place !== null && isSmall(place) ? String(place) : typeName(key);
}

function missing(value: Value, name: string): Undefined {
  return new Undefined(`'${name.slice(0, 100)}' of a ${typeName(value)}`);
}

/**
 * What begins with an underscore is nobody's business, unless it is data, and what changes a value
 * is refused: undefined is handed out for both.
 */
function findAttribute(run: RenderRun, value: Value, name: string): Value | undefined {
  if (name.startsWith("_")) return value instanceof Dict ? undefined : missing(value, name);
  const own = value instanceof ObjectValue ? value.attribute(name) : undefined;
  if (own !== undefined) return own;
  const found = methodOf(value, name);
  if (found === undefined) return undefined;
  if (found === "refused") return missing(value, name);
  if (found.kind === "value") return found.value;
  return new Callable(name, (args) => {
    // What is done with a text takes as long as the text is.
    if (isText(value)) run.meter.spend(charactersOf(value).length / 4);
    return found.call(args, run);
  });
}

function findItem(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) return key instanceof SliceBounds ? undefined : value.get(key);
  if (value instanceof ObjectValue) return value.item(key);
  if (key instanceof SliceBounds) return sliceOf(value, key);
  const place = wholeIn(key);
  return place === null ? undefined : itemAt(value, place);
}
