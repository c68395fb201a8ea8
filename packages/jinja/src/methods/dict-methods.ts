import { bindArguments } from "../values/arguments.ts";
import { type Dict, DictView, orElse, Tuple } from "../values/kinds.ts";
import { spendWhole } from "../values/spending.ts";
import type { Methods } from "./method.ts";

/** They would change what others see as well. */
export const REFUSED_OF_DICTS: ReadonlySet<string> = new Set([
  "clear",
  "pop",
  "popitem",
  "setdefault",
  "update",
]);

export const DICT_METHODS: Methods<Dict> = {
  get: (dict, args, { meter }) => {
    const [key = null, fallback = null] = bindArguments(args, ["key", "default?"]);
    spendWhole(meter, key);
    return orElse(dict.get(key), fallback);
  },
  keys: (dict, _args, { meter }) => {
    meter.spendItems(dict.size);
    return new DictView("keys", dict.keys());
  },
  values: (dict, _args, { meter }) => {
    meter.spendItems(dict.size);
    return new DictView("values", dict.values());
  },
  items: (dict, _args, { meter }) => {
    // A pair of its own for each key.
    meter.spend(dict.size * 4);
    const pairs = dict.entries().map((pair) => new Tuple(pair));
    return new DictView("items", pairs);
  },
  copy: (dict) => dict,
};
