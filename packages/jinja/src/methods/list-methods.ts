import { TemplateError } from "../template-error.ts";
import { bindArguments } from "../values/arguments.ts";
import { isEqual } from "../values/comparing.ts";
import type { Sequence } from "../values/kinds.ts";
import { spendComparing } from "../values/spending.ts";
import type { Methods } from "./method.ts";

/** They would change what others see as well. */
export const REFUSED_OF_LISTS: ReadonlySet<string> = new Set([
  "append",
  "clear",
  "extend",
  "insert",
  "pop",
  "remove",
  "reverse",
  "sort",
]);

export const SEQUENCE_METHODS: Methods<Sequence> = {
  index: ({ items }, args, { meter }) => {
    const [wanted = null] = bindArguments(args, ["value"]);
    spendComparing(meter, items, wanted);
    const place = items.findIndex((item) => isEqual(item, wanted));
    if (place === -1) throw new TemplateError("the value is not in the list");
    return BigInt(place);
  },
  count: ({ items }, args, { meter }) => {
    const [wanted = null] = bindArguments(args, ["value"]);
    spendComparing(meter, items, wanted);
    return BigInt(items.filter((item) => isEqual(item, wanted)).length);
  },
  copy: (list) => list,
};
