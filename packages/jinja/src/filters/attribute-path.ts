import { charactersOf, isText, Undefined, type Value } from "../values/kinds.ts";
import { printValue } from "../values/printing.ts";
import { placeOrName } from "../values/reading-numbers.ts";
import type { RenderRun } from "../values/run.ts";

export type Getter = (value: Value) => Value;

/** `"a.b.0"` leads from a value to something in it; what is not there may be replaced. */
export function attributeGetter(run: RenderRun, attribute: Value, fallback: Value = null): Getter {
  const keys = keysOf(attribute);
  return (value) => {
    let found = value;
    for (const key of keys) {
      run.meter.spend(1);
      found = run.itemOf(found, key);
      if (fallback !== null && found instanceof Undefined) found = fallback;
    }
    return found;
  };
}

function keysOf(attribute: Value): Value[] {
  if (!isText(attribute)) return [attribute];
  return charactersOf(attribute).split(".").map(placeOrName);
}

/** Several of them, with commas between. */
export function attributeGetters(run: RenderRun, attribute: Value | undefined): Getter[] {
  if (attribute === undefined || attribute === null) return [(value) => value];
  if (!isText(attribute)) return [attributeGetter(run, attribute)];
  return printValue(attribute)
    .split(",")
    .map((part) => attributeGetter(run, part));
}

/** Texts that differ only in large and small letters are one. */
export const withoutCase = (value: Value): Value =>
  isText(value) ? charactersOf(value).toLowerCase() : value;
