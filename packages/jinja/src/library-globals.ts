// Functions that every template can call.

import { Namespace } from "./running/namespace.ts";
import { TemplateError } from "./template-error.ts";
import { findItems } from "./values/iterating.ts";
import {
  type Arguments,
  Callable,
  Dict,
  ObjectValue,
  orElse,
  RangeValue,
  type Value,
} from "./values/kinds.ts";
import { wholeIn } from "./values/numbers.ts";
import { printValue } from "./values/printing.ts";
import { typeName } from "./values/type-names.ts";

const MAX_RANGE = 100n;

function range({ positional, named }: Arguments): RangeValue {
  const bounds = positional.map((value) => {
    const whole = wholeIn(value);
    if (whole === null)
      throw new TemplateError(`range takes whole numbers, not a ${typeName(value)}`);
    return whole;
  });
  if (bounds.length < 1 || bounds.length > 3 || named.size > 0)
    throw new TemplateError("range takes one to three whole numbers");
  const [first = 0n, second, step = 1n] = bounds;
  const [start, stop] = second === undefined ? [0n, first] : [first, second];
  if (step === 0n) throw new TemplateError("range takes whole numbers, and a step other than 0");
  const size = step > 0n ? step : -step;
  const distance = step > 0n ? stop - start : start - stop;
  if ((distance + size - 1n) / size > MAX_RANGE)
    throw new TemplateError(`range has more than ${MAX_RANGE} numbers`);
  return new RangeValue(start, stop, step);
}

/** From a dict or pairs, and what is given by name. */
function dict({ positional, named }: Arguments): Dict {
  const [first] = positional;
  return Dict.of([...(first === undefined ? [] : pairsIn(first)), ...named]);
}

function pairsIn(value: Value): (readonly [Value, Value])[] {
  if (value instanceof Dict) return value.entries();
  const items = findItems(value);
  if (items === null) throw new TemplateError("dict takes a dict or pairs");
  return items.map((item) => {
    const [key, member, ...rest] = findItems(item) ?? [];
    if (key === undefined || member === undefined || rest.length > 0)
      throw new TemplateError("dict takes a dict or pairs");
    return [key, member] as const;
  });
}

class Cycler extends ObjectValue {
  override readonly type = "Cycler";
  readonly #values: readonly Value[];
  #at = 0;

  constructor(values: readonly Value[]) {
    super();
    this.#values = values;
  }

  get #current(): Value {
    return this.#values[this.#at] ?? null;
  }

  override attribute(name: string): Value | undefined {
    if (name === "current") return this.#current;
    if (name === "pos") return BigInt(this.#at);
    if (name === "next")
      return new Callable(name, () => {
        const value = this.#current;
        this.#at = (this.#at + 1) % this.#values.length;
        return value;
      });
    if (name !== "reset") return undefined;
    return new Callable(name, () => {
      this.#at = 0;
      return null;
    });
  }
}

/** Nothing at the first call, then what stands between two others. */
function joiner({ positional, named }: Arguments): Callable {
  const between = orElse(positional[0], orElse(named.get("sep"), ", "));
  let isFirst = true;
  return new Callable("joiner", () => {
    const text = isFirst ? "" : printValue(between);
    isFirst = false;
    return text;
  });
}

function namespace({ positional, named }: Arguments): Namespace {
  const pairs = positional.flatMap((value) => pairsIn(value));
  return new Namespace(
    new Map([...pairs.map(([key, value]) => [printValue(key), value] as const), ...named]),
  );
}

export const LIBRARY_GLOBALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["range", new Callable("range", range)],
  ["dict", new Callable("dict", dict)],
  [
    "cycler",
    new Callable("cycler", ({ positional }) => {
      if (positional.length === 0) throw new TemplateError("cycler takes at least one value");
      return new Cycler(positional);
    }),
  ],
  ["joiner", new Callable("joiner", joiner)],
  ["namespace", new Callable("namespace", namespace)],
  [
    "lipsum",
    new Callable("lipsum", () => {
      throw new TemplateError("lipsum: there is no text to fill pages with");
    }),
  ],
]);
