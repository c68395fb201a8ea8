// What may stand behind `is`.

import { isLower, isUpper } from "./methods/text-shapes.ts";
import { bind } from "./values/arguments.ts";
import { calculate } from "./values/arithmetic.ts";
import { compare, isEqual } from "./values/comparing.ts";
import { contains } from "./values/containing.ts";
import { findItems, sizeOf } from "./values/iterating.ts";
import {
  Callable,
  Dict,
  isSequence,
  isText,
  Markup,
  Thing,
  Undefined,
  type Value,
} from "./values/kinds.ts";
import { textOf } from "./values/printing.ts";
import type { Test } from "./values/run.ts";

const of =
  (test: (value: Value) => boolean): Test =>
  (_run, value, args) => {
    bind(args, []);
    return test(value);
  };

const withOther =
  (test: (value: Value, other: Value) => boolean): Test =>
  (_run, value, args) => {
    const [other = null] = bind(args, ["other"]);
    return test(value, other);
  };

const dividesTo =
  (rest: bigint): Test =>
  (run, value, args) => {
    bind(args, []);
    return isEqual(calculate(run.meter, "%", value, 2n), rest);
  };

const isOrdered = (operator: string, fits: (order: number) => boolean): Test =>
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

export const LIBRARY_TESTS: Readonly<Record<string, Test>> = {
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
      (value instanceof Thing && sizeOf(value) !== null),
  ),
  callable: of((value) => value instanceof Callable),
  escaped: of((value) => value instanceof Markup),
  lower: of((value) => isLower(textOf(value))),
  upper: of((value) => isUpper(textOf(value))),
  even: dividesTo(0n),
  odd: dividesTo(1n),
  divisibleby: (run, value, args) => {
    const [by = null] = bind(args, ["num"]);
    return isEqual(calculate(run.meter, "%", value, by), 0n);
  },
  sameas: withOther(isSame),
  in: (run, value, args) => {
    const [container = null] = bind(args, ["seq"]);
    return contains(run, container, value);
  },
  filter: (run, value) => run.filters.has(textOf(value)),
  test: (run, value) => run.tests.has(textOf(value)),
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
