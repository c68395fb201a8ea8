import { TemplateError } from "../template-error.ts";
import { positionOf, timeKindOf, timeValueOf } from "../times/time-kinds.ts";
import {
  charactersOf,
  Dict,
  DictView,
  isSequence,
  isText,
  List,
  RangeValue,
  Tuple,
  Undefined,
  type Value,
} from "./kinds.ts";
import { isNumeric, plainNumber } from "./numbers.ts";
import { typeName } from "./type-names.ts";

export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return !Number.isNaN(left);
  if (isNumeric(left)) return isNumeric(right) && sameNumber(plainNumber(left), plainNumber(right));
  if (isText(left)) return isText(right) && charactersOf(left) === charactersOf(right);
  if (left instanceof Undefined) return right instanceof Undefined;
  if (isSequence(left))
    return isSequence(right) && sameKind(left, right) && sameItems(left.items, right.items);
  if (left instanceof Dict) return right instanceof Dict && sameDict(left, right);
  const [one, other] = [timeValueOf(left), timeValueOf(right)];
  if (one === null || other === null) return false;
  return timeKindOf(one) === timeKindOf(other) && positionOf(one) === positionOf(other);
}

function sameNumber(left: bigint | number, right: bigint | number): boolean {
  if (typeof left === typeof right) return left === right;
  const [whole, other] = typeof left === "bigint" ? [left, right] : [right, left];
  return Number.isInteger(other) && BigInt(other) === whole;
}

function sameKind(left: Value, right: Value): boolean {
  return [List, Tuple, RangeValue, DictView].some(
    (kind) => left instanceof kind && right instanceof kind,
  );
}

function sameItems(left: readonly Value[], right: readonly Value[]): boolean {
  return (
    left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null))
  );
}

function sameDict(left: Dict, right: Dict): boolean {
  if (left.size !== right.size) return false;
  return left.entries().every(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && isEqual(value, other);
  });
}

/** Negative where the left one comes first. Null where no order says so: numbers that are none. */
export function compare(left: Value, right: Value, operator = "<"): number | null {
  if (isNumeric(left) && isNumeric(right))
    return compareNumbers(plainNumber(left), plainNumber(right));
  if (isText(left) && isText(right)) return compareTexts(charactersOf(left), charactersOf(right));
  if (
    (left instanceof List && right instanceof List) ||
    (left instanceof Tuple && right instanceof Tuple)
  )
    return compareItems(left.items, right.items, operator);
  const [one, other] = [timeValueOf(left), timeValueOf(right)];
  if (one !== null && other !== null && timeKindOf(one) === timeKindOf(other))
    return compareNumbers(positionOf(one), positionOf(other));
  for (const value of [left, right])
    if (value instanceof Undefined) throw new TemplateError(`${value.what} is undefined`);
  throw new TemplateError(
    `'${operator}' is not supported between ${typeName(left)} and ${typeName(right)}`,
  );
}

function compareNumbers(left: bigint | number, right: bigint | number): number | null {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? null : 0;
}

const SURROGATE = /[\ud800-\udfff]/;

/** By the numbers of their characters. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  // What stands behind the end of the shorter one decides nothing, however long it is.
  const shared = Math.min(left.length, right.length);
  const [head, otherHead] = [left.slice(0, shared), right.slice(0, shared)];
  if (!SURROGATE.test(head) && !SURROGATE.test(otherHead)) return left < right ? -1 : 1;
  const [one, other] = [Array.from(head), Array.from(otherHead)];
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareItems(
  left: readonly Value[],
  right: readonly Value[],
  operator: string,
): number | null {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (!isEqual(item, other)) return compare(item, other, operator);
  }
  return left.length - right.length;
}
