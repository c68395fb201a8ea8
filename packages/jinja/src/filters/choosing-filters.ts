// Filters that go through a list with another filter or a test.

import { TemplateError } from "../template-error.ts";
import { itemsOf } from "../values/iterating.ts";
import { type Arguments, charactersOf, isText, List, type Value } from "../values/kinds.ts";
import type { RenderRun, TemplateFilter, TemplateTest } from "../values/run.ts";
import { spendFilter } from "../values/spending.ts";
import { isTrue } from "../values/truth.ts";
import { weightOf } from "../values/weight.ts";
import { attributeGetter } from "./attribute-path.ts";

const rest = ({ positional, named }: Arguments, taken: number): Arguments => ({
  positional: positional.slice(taken),
  named,
});

function nameIn(value: Value | undefined, what: string): string {
  if (value === undefined || !isText(value)) throw new TemplateError(`takes the name of a ${what}`);
  return charactersOf(value);
}

const map: TemplateFilter = (run, value, args) => {
  const change = mapper(run, args);
  const items = itemsOf(run, value);
  run.meter.spendItems(items.length);
  return new List(items.map(change));
};

function mapper(run: RenderRun, args: Arguments): (item: Value) => Value {
  const attribute = args.named.get("attribute");
  if (args.positional.length === 0 && attribute !== undefined)
    return attributeGetter(run, attribute, args.named.get("default"));
  const name = nameIn(args.positional[0], "filter");
  const filter = run.filters.get(name);
  if (filter === undefined) throw new TemplateError(`there is no filter named ${name}`);
  return (item) => {
    spendFilter(run.meter, name, item);
    return filter(run, item, rest(args, 1));
  };
}

function tester(run: RenderRun, args: Arguments): (item: Value) => boolean {
  if (args.positional.length === 0) return isTrue;
  const test = testNamed(run, nameIn(args.positional[0], "test"));
  const given = rest(args, 1);
  const cost =
    given.positional.length === 0
      ? Number.POSITIVE_INFINITY
      : given.positional.reduce<number>((sum, value) => sum + weightOf(value), 1);
  return (item) => {
    run.meter.spend(Math.min(cost, weightOf(item)));
    return test(run, item, given);
  };
}

function testNamed(run: RenderRun, name: string): TemplateTest {
  const test = run.tests.get(name);
  if (test === undefined) throw new TemplateError(`there is no test named ${name}`);
  return test;
}

const select =
  (keeps: boolean): TemplateFilter =>
  (run, value, args) => {
    const fits = tester(run, args);
    return new List(chosen(run, value, (item) => fits(item) === keeps));
  };

const selectattr =
  (keeps: boolean): TemplateFilter =>
  (run, value, args) => {
    const [attribute] = args.positional;
    if (attribute === undefined) throw new TemplateError("takes the name of an attribute");
    const get = attributeGetter(run, attribute);
    const fits = tester(run, rest(args, 1));
    return new List(chosen(run, value, (item) => fits(get(item)) === keeps));
  };

function chosen(run: RenderRun, value: Value, keeps: (item: Value) => boolean): Value[] {
  const items = itemsOf(run, value);
  run.meter.spendItems(items.length);
  return items.filter(keeps);
}

export const CHOOSING_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  map,
  select: select(true),
  reject: select(false),
  selectattr: selectattr(true),
  rejectattr: selectattr(false),
};
