import { TemplateError } from "../template-error.ts";
import { isEqual } from "./comparing.ts";
import { itemsOf } from "./iterating.ts";
import { charactersOf, Dict, isText, ObjectValue, type Value } from "./kinds.ts";
import type { RenderRun } from "./run.ts";
import { spendComparing, spendSearch, spendWhole } from "./spending.ts";
import { typeName } from "./type-names.ts";

/** `value in container` */
export function contains(run: Pick<RenderRun, "meter">, container: Value, value: Value): boolean {
  if (isText(container)) {
    if (isText(value)) {
      const [text, sought] = [charactersOf(container), charactersOf(value)];
      spendSearch(run.meter, text, sought);
      return text.includes(sought);
    }
    throw new TemplateError(`a text cannot hold a ${typeName(value)}`);
  }
  if (container instanceof Dict) {
    spendWhole(run.meter, value);
    return container.get(value) !== undefined;
  }
  const known = container instanceof ObjectValue ? container.has(value) : null;
  if (known !== null) return known;
  const items = itemsOf(run, container);
  spendComparing(run.meter, items, value);
  return items.some((item) => isEqual(item, value));
}
