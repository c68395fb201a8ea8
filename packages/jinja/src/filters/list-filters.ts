// Filters that make one value of a list, or another list.

import { replaced } from "../methods/text-parts.ts";
import { TemplateError } from "../template-error.ts";
import { bindArguments, filter, wholeArgument } from "../values/arguments.ts";
import { calculate } from "../values/arithmetic.ts";
import { itemsOf, sizeOf } from "../values/iterating.ts";
import {
  charactersOf,
  Dict,
  isText,
  List,
  orElse,
  SafeText,
  Tuple,
  Undefined,
  type Value,
} from "../values/kinds.ts";
import { pointsOf } from "../values/points.ts";
import { printValue } from "../values/printing.ts";
import type { TemplateFilter } from "../values/run.ts";
import { isTrue } from "../values/truth.ts";
import { typeName } from "../values/type-names.ts";
import { attributeGetter } from "./attribute-path.ts";

const first = filter("", (run, value) =>
  orElse(itemsOf(run, value)[0], new Undefined("the first of nothing")),
);
const last = filter("", (run, value) =>
  orElse(itemsOf(run, value).at(-1), new Undefined("the last of nothing")),
);

const length = filter("", (_run, value) => {
  const size = sizeOf(value);
  if (size === null) throw new TemplateError(`a ${typeName(value)} has no length`);
  return BigInt(size);
});

const join = filter("d? attribute?", (run, value, [separator = "", attribute = null]) => {
  const get = attribute === null ? (item: Value) => item : attributeGetter(run, attribute);
  const parts = itemsOf(run, value).map((item) => printValue(get(item)));
  const between = printValue(separator);
  run.meter.spendText(parts.reduce((sum, part) => sum + part.length + between.length, 0));
  return parts.join(between);
});

const list = filter("", (run, value) => {
  const items = itemsOf(run, value);
  run.meter.spendItems(items.length);
  return new List(items);
});

const reverse = filter("", (run, value) => {
  if (isText(value)) return pointsOf(charactersOf(value)).toReversed().join("");
  return new List(itemsOf(run, value).toReversed());
});

const random = filter("", (run, value) => {
  const items = itemsOf(run, value);
  const chosen = items[Math.floor(run.random() * items.length)];
  return orElse(chosen, new Undefined("one of nothing"));
});

const sum = filter("attribute? start?", (run, value, [attribute = null, start = 0n]) => {
  const get = attribute === null ? (item: Value) => item : attributeGetter(run, attribute);
  return itemsOf(run, value).reduce<Value>(
    (total, item) => calculate(run.meter, "+", total, get(item)),
    start,
  );
});

const batch = filter("linecount fill_with?", (run, value, [count, filler = null]) => {
  const size = wholeArgument(count, 1);
  if (size < 1) throw new TemplateError("a batch has at least one item");
  const items = itemsOf(run, value);
  const batches: Value[] = [];
  for (let at = 0; at < items.length; at += size)
    batches.push(new List(items.slice(at, at + size)));
  const missing = batches.length * size - items.length;
  const short = batches.at(-1);
  if (filler !== null && missing > 0 && short instanceof List) {
    run.meter.spendItems(missing);
    batches[batches.length - 1] = new List([
      ...short.items,
      ...new Array<Value>(missing).fill(filler),
    ]);
  }
  return new List(batches);
});

/** So many columns; the first ones have one more where it does not come out even. */
const slice = filter("slices fill_with?", (run, value, [count, filler = null]) => {
  const columns = wholeArgument(count, 1);
  if (columns < 1) throw new TemplateError("there is at least one slice");
  run.meter.spendItems(columns);
  const items = itemsOf(run, value);
  const [each, longer] = [Math.floor(items.length / columns), items.length % columns];
  let at = 0;
  const slices = Array.from({ length: columns }, (_, column) => {
    const start = at;
    at += each + (column < longer ? 1 : 0);
    const part = items.slice(start, at);
    return new List(filler !== null && column >= longer ? [...part, filler] : part);
  });
  return new List(slices);
});

const items = filter("", (run, value) => {
  if (value instanceof Undefined) return new List([]);
  if (!(value instanceof Dict)) throw new TemplateError("takes a dict");
  // A pair of its own for each key.
  run.meter.spend(value.size * 3);
  return new List(value.entries().map((pair) => new Tuple(pair)));
});

const attr = filter("name", (run, value, [name = ""]) => {
  const text = printValue(name);
  // Only what stands behind a dot, not what a dict has by that name.
  return value instanceof Dict && value.get(text) !== undefined
    ? new Undefined(`'${text}' of a dict`)
    : run.memberOf(value, text);
});

const asDefault: TemplateFilter = (_run, value, args) => {
  const [fallback = "", boolean = false] = bindArguments(args, ["default_value?", "boolean?"]);
  const isMissing = value instanceof Undefined || (boolean === true && !isTrue(value));
  return isMissing ? fallback : value;
};

const replace = filter("old new count?", (run, value, [old = "", by = "", count = null]) => {
  const change = {
    old: printValue(old),
    by: printValue(by),
    most: wholeArgument(count ?? undefined, -1),
  };
  const text = replaced(printValue(value), change, run.meter);
  return value instanceof SafeText ? new SafeText(text) : text;
});

export const LIST_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  first,
  last,
  length,
  count: length,
  join,
  list,
  reverse,
  random,
  sum,
  batch,
  slice,
  items,
  attr,
  default: asDefault,
  d: asDefault,
  replace,
};
