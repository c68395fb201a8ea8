import { TemplateError } from "../template-error.ts";
import {
  charactersOf,
  Dict,
  isSequence,
  isText,
  ObjectValue,
  Undefined,
  type Value,
} from "./kinds.ts";
import { lengthOf, pointsOf } from "./points.ts";
import type { RenderRun } from "./run.ts";
import { typeName } from "./type-names.ts";

/** Null for what nothing can go through. */
export function findItems(value: Value): readonly Value[] | null {
  if (isSequence(value)) return value.items;
  if (isText(value)) return pointsOf(charactersOf(value));
  if (value instanceof Dict) return value.keys();
  if (value instanceof Undefined) return [];
  return value instanceof ObjectValue ? value.items() : null;
}

/** What a loop goes through. */
export function itemsOf({ meter }: Pick<RenderRun, "meter">, value: Value): readonly Value[] {
  if (value instanceof Dict) meter.spend(value.size);
  const items = findItems(value);
  if (items === null) throw new TemplateError(`a ${typeName(value)} cannot be gone through`);
  meter.spend(items.length / 8);
  return items;
}

export function sizeOf(value: Value): number | null {
  if (isText(value)) return lengthOf(charactersOf(value));
  if (isSequence(value)) return value.items.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof Undefined) return 0;
  return value instanceof ObjectValue ? value.size() : null;
}
