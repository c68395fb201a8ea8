import { TemplateError } from "../template-error.ts";
import {
  charactersOf,
  isSequence,
  isText,
  List,
  ObjectValue,
  RangeValue,
  SafeText,
  Tuple,
  type Value,
} from "./kinds.ts";
import { wholeIn } from "./numbers.ts";
import { hasPairs, pointsOf } from "./points.ts";
import { typeName } from "./type-names.ts";

/** `start:stop:step` between square brackets. */
export class SliceBounds extends ObjectValue {
  override readonly type = "slice";
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;

  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** Undefined for what has no order. */
export function sliceOf(value: Value, bounds: SliceBounds): Value | undefined {
  if (isText(value)) {
    const text = picked(pointsOf(charactersOf(value)), bounds).join("");
    return value instanceof SafeText ? new SafeText(text) : text;
  }
  if (!isSequence(value)) return undefined;
  if (value instanceof RangeValue) {
    const { from, to, by } = places(value.items.length, bounds);
    const at = (place: number): bigint => value.start + BigInt(place) * value.step;
    return new RangeValue(at(from), at(to), value.step * BigInt(by));
  }
  const items = picked(value.items, bounds);
  return value instanceof Tuple ? new Tuple(items) : new List(items);
}

interface Places {
  readonly from: number;
  /** The first place that is left out. */
  readonly to: number;
  readonly by: number;
}

function places(length: number, { start, stop, step }: SliceBounds): Places {
  const by = bound(step) ?? 1;
  if (by === 0) throw new TemplateError("the step of a slice is zero");
  const [least, most] = by > 0 ? [0, length] : [-1, length - 1];
  const place = (given: number | null, fallback: number): number => {
    if (given === null) return fallback;
    return Math.min(Math.max(given < 0 ? given + length : given, least), most);
  };
  const from = place(bound(start), by > 0 ? least : most);
  const to = place(bound(stop), by > 0 ? most : least);
  return { from, to, by };
}

function picked<T>(items: readonly T[], bounds: SliceBounds): T[] {
  const { from, to, by } = places(items.length, bounds);
  if (by === 1) return items.slice(from, Math.max(from, to));
  const result: T[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) {
    const item = items[at];
    if (item !== undefined) result.push(item);
  }
  return result;
}

function bound(value: Value): number | null {
  if (value === null) return null;
  const whole = wholeIn(value);
  if (whole === null)
    throw new TemplateError(`slices take whole numbers or None, not a ${typeName(value)}`);
  return Number(whole);
}

/**
 * The item at a place, counted from the end where it is negative; undefined where there is none.
 */
export function itemAt(value: Value, key: bigint): Value | undefined {
  if (isText(value)) {
    const text = charactersOf(value);
    const points = hasPairs(text) ? Array.from(text) : text;
    return points[placeOf(key, points.length)];
  }
  return isSequence(value) ? value.items[placeOf(key, value.items.length)] : undefined;
}

const placeOf = (key: bigint, length: number): number =>
  Number(key < 0n ? key + BigInt(length) : key);
