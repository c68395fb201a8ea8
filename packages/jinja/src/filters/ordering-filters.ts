import { TemplateError } from "../template-error.ts";
import { filter, textArgument } from "../values/arguments.ts";
import { compare, isEqual } from "../values/comparing.ts";
import { itemsOf } from "../values/iterating.ts";
import { Dict, hashOf, List, Tuple, Undefined, type Value } from "../values/kinds.ts";
import type { RenderRun, TemplateFilter } from "../values/run.ts";
import { spendWhole } from "../values/spending.ts";
import { isTrue } from "../values/truth.ts";
import { attributeGetter, attributeGetters, type Getter, withoutCase } from "./attribute-path.ts";

interface Keyed {
  readonly item: Value;
  readonly key: Value;
}

const cased = (caseSensitive: Value): Getter =>
  isTrue(caseSensitive) ? (value) => value : withoutCase;

/** In order of their keys; those that are equal keep theirs, also backwards. */
function ordered(run: RenderRun, keyed: readonly Keyed[], isBackwards: boolean): Value[] {
  run.meter.spendItems(keyed.length * 4);
  const sign = isBackwards ? -1 : 1;
  return keyed
    .toSorted((one, other) => {
      run.meter.spend(1);
      return sign * (compare(one.key, other.key) ?? 0);
    })
    .map(({ item }) => item);
}

const sort = filter(
  "reverse? case_sensitive? attribute?",
  (run, value, [reverse = false, caseSensitive = false, attribute]) => {
    const getters = attributeGetters(run, attribute);
    const change = cased(caseSensitive);
    const keyed = itemsOf(run, value).map((item) => {
      const keys = getters.map((get) => change(get(item)));
      const [only = null] = keys;
      return { item, key: keys.length === 1 ? only : new List(keys) };
    });
    return new List(ordered(run, keyed, isTrue(reverse)));
  },
);

const dictsort = filter(
  "case_sensitive? by? reverse?",
  (run, value, [caseSensitive = false, by, reverse = false]) => {
    if (!(value instanceof Dict)) throw new TemplateError("takes a dict");
    const part = textArgument(by, "key");
    if (part !== "key" && part !== "value")
      throw new TemplateError("a dict is sorted by 'key' or by 'value'");
    const change = cased(caseSensitive);
    const keyed = value.entries().map((pair) => ({
      item: new Tuple(pair),
      key: change(part === "key" ? pair[0] : pair[1]),
    }));
    return new List(ordered(run, keyed, isTrue(reverse)));
  },
);

const groupby = filter(
  "attribute default? case_sensitive?",
  (run, value, [attribute = null, fallback, caseSensitive = false]) => {
    const get = attributeGetter(run, attribute, fallback);
    const change = cased(caseSensitive);
    const keyed = itemsOf(run, value).map((item) => ({ item, key: change(get(item)) }));
    const groups: { readonly key: Value; readonly grouper: Value; readonly items: Value[] }[] = [];
    for (const item of ordered(run, keyed, false)) {
      const key = change(get(item));
      const group = groups.at(-1);
      if (group !== undefined && isEqual(group.key, key)) group.items.push(item);
      else groups.push({ key, grouper: get(item), items: [item] });
    }
    return new List(
      groups.map(
        ({ grouper, items }) => new Tuple([grouper, new List(items)], ["grouper", "list"]),
      ),
    );
  },
);

const unique = filter(
  "case_sensitive? attribute?",
  (run, value, [caseSensitive = false, attribute = null]) => {
    const get = attribute === null ? (item: Value) => item : attributeGetter(run, attribute);
    const change = cased(caseSensitive);
    const seen = new Set<string>();
    const items = itemsOf(run, value).filter((item) => {
      const key = change(get(item));
      spendWhole(run.meter, key);
      const hash = hashOf(key);
      if (seen.has(hash)) return false;
      seen.add(hash);
      return true;
    });
    return new List(items);
  },
);

const extreme = (sign: 1 | -1): TemplateFilter =>
  filter("case_sensitive? attribute?", (run, value, [caseSensitive = false, attribute = null]) => {
    const get = attribute === null ? (item: Value) => item : attributeGetter(run, attribute);
    const change = cased(caseSensitive);
    const keyed = itemsOf(run, value).map((item): Keyed => ({ item, key: change(get(item)) }));
    const [first, ...rest] = keyed;
    if (first === undefined) return new Undefined("the largest and smallest of nothing");
    return rest.reduce((best, one) => {
      const order = compare(one.key, best.key) ?? 0;
      return order * sign > 0 ? one : best;
    }, first).item;
  });

export const ORDERING_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  sort,
  dictsort,
  groupby,
  unique,
  max: extreme(1),
  min: extreme(-1),
};
