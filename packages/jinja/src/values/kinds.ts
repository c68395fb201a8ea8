// The values of templates. Text, truth, whole numbers and others are those of the language:
// `bigint` is a whole number, `number` one with a fraction, `null` is None. Everything else is one
// of the classes below, so that no object of ours, and nothing that every object has, can be
// reached from a template.

import { TemplateError } from "../template-error.ts";
import {
  type ClockTime,
  type DateTime,
  type Day,
  type TimeSpan,
  timeKey,
  timeValueOf,
} from "../times/time-kinds.ts";

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | SafeText
  | List
  | Tuple
  | RangeValue
  | Dict
  | DictView
  | Undefined
  | DateTime
  | Day
  | ClockTime
  | TimeSpan
  | EnumMember
  | Callable
  | ObjectValue;

/** Text that is said to be safe in web pages. */
export class SafeText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class List {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

export class Tuple {
  readonly items: readonly Value[];
  /** Names of the places, where they have some. */
  readonly names: readonly string[];

  constructor(items: readonly Value[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

export class RangeValue {
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly items: readonly bigint[];

  constructor(start: bigint, stop: bigint, step: bigint) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    const distance = step > 0n ? stop - start : start - stop;
    const size = step > 0n ? step : -step;
    const length = distance <= 0n ? 0n : (distance + size - 1n) / size;
    this.items = Array.from({ length: Number(length) }, (_, index) => start + BigInt(index) * step);
  }
}

/** What `keys()`, `values()` and `items()` of a dict hand out. */
export class DictView {
  readonly part: "keys" | "values" | "items";
  readonly items: readonly Value[];

  constructor(part: "keys" | "values" | "items", items: readonly Value[]) {
    this.part = part;
    this.items = items;
  }
}

/** What is not there. It prints as nothing, and so does all that is asked of it. */
export class Undefined {
  /** What was asked for, for messages. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** A member of an enumeration, which is a text as well: it equals its value. */
export class EnumMember {
  readonly type: string;
  readonly value: string;

  constructor(type: string, value: string) {
    this.type = type;
    this.value = value;
  }
}

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export class Callable {
  readonly name: string;
  readonly call: (args: Arguments) => Value;

  constructor(name: string, call: (args: Arguments) => Value) {
    this.name = name;
    this.call = call;
  }
}

/** Any other object: what it shows of itself is what it says here. */
export abstract class ObjectValue {
  abstract readonly type: string;

  attribute(_name: string): Value | undefined {
    return undefined;
  }

  item(_key: Value): Value | undefined {
    return undefined;
  }

  /** What a loop goes through; null where it cannot. */
  items(): readonly Value[] | null {
    return null;
  }

  /** Where it can be told whether something is in it without going through it. */
  has(_value: Value): boolean | null {
    return null;
  }

  size(): number | null {
    return null;
  }

  /** What comes of calling it; undefined where it cannot be called. */
  call(_args: Arguments): Value | undefined {
    return undefined;
  }

  /** As it is printed; `show` prints what is in it. */
  text(show: (value: Value) => string): string {
    return this.shown(show);
  }

  /** As it is printed within a list. */
  shown(_show: (value: Value) => string): string {
    return `<${this.type} object>`;
  }

  /** As JSON has it; undefined where it does not. */
  data(): Value | undefined {
    return undefined;
  }

  /** Whether it is made of fields, which are its data. */
  isModel(): boolean {
    return false;
  }

  /** What is printed with it. */
  parts(): readonly Value[] {
    const data = this.data();
    return data === undefined ? [] : [data];
  }
}

/** None is a value: only what is not there gives way to something else. */
export const orElse = (value: Value | undefined, fallback: Value): Value =>
  value === undefined ? fallback : value;

export type Sequence = List | Tuple | RangeValue | DictView;

export const isSequence = (value: Value): value is Sequence =>
  value instanceof List ||
  value instanceof Tuple ||
  value instanceof RangeValue ||
  value instanceof DictView;

/** Also the members of enumerations that are texts. */
export type Text = string | SafeText | EnumMember;

export const isText = (value: Value): value is Text =>
  typeof value === "string" || value instanceof SafeText || value instanceof EnumMember;

/** The characters of a text, whatever else it is. */
export function charactersOf(value: Text): string {
  if (typeof value === "string") return value;
  return value instanceof SafeText ? value.text : value.value;
}

type Source = Readonly<Record<string, unknown>>;

/** Keys with their values, in the order in which they were given. */
export class Dict {
  readonly #entries: ReadonlyMap<string, readonly [Value, Value]> | null;
  readonly #source: Source;
  readonly #convert: (data: unknown) => Value;
  readonly #converted = new Map<string, Value>();
  /** The names in the source, once somebody asked for them. */
  #names: readonly string[] | null = null;

  private constructor(
    entries: ReadonlyMap<string, readonly [Value, Value]> | null,
    source: Source,
    convert: (data: unknown) => Value,
  ) {
    this.#entries = entries;
    this.#source = source;
    this.#convert = convert;
  }

  static of(pairs: Iterable<readonly [Value, Value]>): Dict {
    const entries = new Map<string, readonly [Value, Value]>();
    for (const [key, value] of pairs) {
      const hash = hashOf(key);
      // A key stays as it was given first.
      const before = entries.get(hash);
      entries.set(hash, [before === undefined ? key : before[0], value]);
    }
    return new Dict(entries, {}, () => null);
  }

  /** What the object has of its own; each value is looked at only when it is asked for. */
  static from(source: Source, convert: (data: unknown) => Value): Dict {
    return new Dict(null, source, convert);
  }

  get size(): number {
    return this.#entries?.size ?? this.#sourceNames.length;
  }

  get(key: Value): Value | undefined {
    if (this.#entries !== null) return this.#entries.get(hashOf(key))?.[1];
    if (!isText(key)) {
      hashOf(key);
      return undefined;
    }
    return this.#own(charactersOf(key));
  }

  keys(): readonly Value[] {
    return this.#entries === null
      ? this.#sourceNames
      : [...this.#entries.values()].map(([key]) => key);
  }

  values(): readonly Value[] {
    return this.entries().map(([, value]) => value);
  }

  entries(): (readonly [Value, Value])[] {
    if (this.#entries !== null) return [...this.#entries.values()];
    return this.#sourceNames.map((name) => [name, this.#own(name) ?? null] as const);
  }

  get #sourceNames(): readonly string[] {
    this.#names ??= Object.keys(this.#source);
    return this.#names;
  }

  #own(name: string): Value | undefined {
    if (!Object.hasOwn(this.#source, name)) return undefined;
    let value = this.#converted.get(name);
    if (value === undefined) {
      value = this.#convert(this.#source[name]);
      this.#converted.set(name, value);
    }
    return value;
  }
}

/** The same for values that are equal: 1, 1.0 and True are one key. */
export function hashOf(value: Value): string {
  if (isText(value)) return `s${charactersOf(value)}`;
  if (typeof value === "boolean") return value ? "n1" : "n0";
  // To write a long number takes much longer by its decimal digits.
  if (typeof value === "bigint") return `n${value.toString(16)}`;
  if (typeof value === "number")
    return Number.isInteger(value) ? `n${BigInt(value).toString(16)}` : `n${value}`;
  if (value === null) return "None";
  if (value instanceof Undefined) return "undefined";
  if (value instanceof Tuple)
    return `(${value.items
      .map((item) => `${hashOf(item)}`)
      .map((hash) => `${hash.length}:${hash}`)
      .join()})`;
  const moment = timeValueOf(value);
  if (moment !== null) return `t${timeKey(moment)}`;
  throw new TemplateError("what can hold other values cannot be a key");
}
