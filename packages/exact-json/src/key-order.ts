// JavaScript lists members whose names are array indexes (`"1"`) before all others; other languages
// keep the order in which they were sent. An object that this would reorder carries its order
// beside its members, and is written in that. A copy made by spreading is in the order of
// JavaScript, so whoever copies JSON of others uses the functions below.

import { writing } from "./writing.ts";

type Members = Readonly<Record<string, unknown>>;
type Entry = readonly [name: string, member: unknown];

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const LAST_INDEX = 4_294_967_294;
/** Longer names are no indexes. */
export const MOST_INDEX_DIGITS = 10;

export const isIndex = (name: string): boolean => INDEX.test(name) && Number(name) <= LAST_INDEX;

const orders = new WeakMap<object, readonly string[]>();

/** The names of members in the order in which they are written. */
export function namesInOrder(value: object): readonly string[] {
  const names = Object.keys(value);
  const order = orders.get(value);
  if (order === undefined) return names;
  // Members may have come or gone since.
  const left = new Set(names);
  return [...order.filter((name) => left.delete(name)), ...left];
}

/** An object whose members are written in this order. */
export function objectInOrder<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = Object.fromEntries(entries) as Record<string, T>;
  if (!hasIndexes(object) || Object.hasOwn(object, "toJSON")) return object;
  const names = Object.keys(object);
  if (entries.every(([name], at) => names[at] === name)) return object;
  orders.set(
    object,
    entries.map(([name]) => name),
  );
  return Object.defineProperty(object, "toJSON", WRITES_IN_ORDER);
}

const WRITES_IN_ORDER: PropertyDescriptor = {
  enumerable: false,
  value(this: Members): Members {
    if (!writing.marks) return this;
    const entries = namesInOrder(this).map((name): Entry => {
      return [isIndex(name) ? writing.markedName(name) : name, this[name]];
    });
    return Object.fromEntries(entries);
  },
};

/** Indexes come first: where the first name is none, there are none. */
function hasIndexes(object: object): boolean {
  for (const name in object) return isIndex(name);
  return false;
}

/**
 * A copy with other members; those that become undefined are left out. Where no member changes it
 * is the value itself: most of what is searched for placeholders and secrets holds none.
 */
export function mapMembers<T, U>(
  value: Readonly<Record<string, T>>,
  change: (member: T, name: string) => U,
): Record<string, Exclude<U, undefined>> {
  const entries: [string, Exclude<U, undefined>][] = [];
  let isChanged = false;
  for (const name of namesInOrder(value)) {
    const before: unknown = value[name];
    const member = change(before as T, name);
    if (member !== before || member === undefined) isChanged = true;
    if (member !== undefined) entries.push([name, member as Exclude<U, undefined>]);
  }
  return isChanged ? objectInOrder(entries) : (value as Record<string, Exclude<U, undefined>>);
}

/** `{ ...one, ...other }` */
export function mergeMembers<T>(
  ...values: readonly Readonly<Record<string, T>>[]
): Record<string, T> {
  const merged = Object.assign({}, ...values) as Record<string, T>;
  if (!hasIndexes(merged)) return merged;
  const names = new Set(values.flatMap(namesInOrder));
  return objectInOrder([...names].map((name) => [name, merged[name] as T]));
}
