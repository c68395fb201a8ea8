// What may stand behind `is`.

import { isLower, isUpper } from "./methods/text-shapes.ts";
import { bindArguments } from "./values/arguments.ts";
import { calculate } from "./values/arithmetic.ts";
import { compare, isEqual } from "./values/comparing.ts";
import { contains } from "./values/containing.ts";
import { findItems, sizeOf } from "./values/iterating.ts";
import {
  Callable,
  Dict,
  isSequence,
  isText,
  ObjectValue,
  SafeText,
  Undefined,
  type Value,
} from "./values/kinds.ts";
import { printValue } from "./values/printing.ts";
import type { TemplateTest } from "./values/run.ts";

const of =
  (test: (value: Value) => boolean): TemplateTest =>
  (_run, value, args) => {
    bindArguments(args, []);
    return test(value);
  };

const withOther =
  (test: (value: Value, other: Value) => boolean): TemplateTest =>
  (_run, value, args) => {
    const [other = null] = bindArguments(args, ["other"]);
    return test(value, other);
  };

const dividesTo =
  (rest: bigint): TemplateTest =>
  (run, value, args) => {
    bindArguments(args, []);
    return isEqual(calculate(run.meter, "%", value, 2n), rest);
  };

const isOrdered = (operator: string, fits: (order: number) => boolean): TemplateTest =>
  withOther((value, other) => {
    const order = compare(value, other, operator);
    return order !== null && fits(order);
  });

const equal = withOther(isEqual);
const unequal = withOther((value, other) => !isEqual(value, other));
const less = isOrdered("<", (order) => order < 0);
const lessOrEqual = isOrdered("<=", (order) => order <= 0);
const greater = isOrdered(">", (order) => order > 0);
const greaterOrEqual = isOrdered(">=", (order) => order >= 0);

/** Whether both are the same one, not only equal. */
function isSame(value: Value, other: Value): boolean {
  return value === other;
}

export const LIBRARY_TESTS: Readonly<Record<string, TemplateTest>> = {
  defined: of((value) => !(value instanceof Undefined)),
  undefined: of((value) => value instanceof Undefined),
  none: of((value) => value === null),
  boolean: of((value) => typeof value === "boolean"),
  true: of((value) => value === true),
  false: of((value) => value === false),
  integer: of((value) => typeof value === "bigint"),
  float: of((value) => typeof value === "number"),
  number: of((value) => ["bigint", "number", "boolean"].includes(typeof value)),
  string: of(isText),
  mapping: of((value) => value instanceof Dict),
  iterable: of((value) => findItems(value) !== null),
  sequence: of(
    (value) =>
      isText(value) ||
      isSequence(value) ||
      value instanceof Dict ||
      value instanceof Undefined ||
      (value instanceof ObjectValue && sizeOf(value) !== null),
  ),
  callable: of((value) => value instanceof Callable),
  escaped: of((value) => value instanceof SafeText),
  lower: of((value) => isLower(printValue(value))),
  upper: of((value) => isUpper(printValue(value))),
  even: dividesTo(0n),
  odd: dividesTo(1n),
  divisibleby: (run, value, args) => {
    const [by = null] = bindArguments(args, ["num"]);
    return isEqual(calculate(run.meter, "%", value, by), 0n);
  },
  sameas: withOther(isSame),
  in: (run, value, args) => {
    const [container = null] = bindArguments(args, ["seq"]);
    return contains(run, container, value);
  },
  filter: (run, value) => run.filters.has(printValue(value)),
  test: (run, value) => run.tests.has(printValue(value)),
  eq: equal,
  equalto: equal,
  "==": equal,
  ne: unequal,
  "!=": unequal,
  lt: less,
  lessthan: less,
  "<": less,
  le: lessOrEqual,
  "<=": lessOrEqual,
  gt: greater,
  greaterthan: greater,
  ">": greater,
  ge: greaterOrEqual,
  ">=": greaterOrEqual,
};
