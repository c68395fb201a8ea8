import { formatMarkup, formatPercent } from "../formats/percent-format.ts";
import type {
  CallArguments,
  Comparison,
  ComparisonOperator,
  Expression,
} from "../language/nodes.ts";
import { TemplateError } from "../template-error.ts";
import { calculate, negated } from "../values/arithmetic.ts";
import { compare, isEqual } from "../values/comparing.ts";
import { contains } from "../values/containing.ts";
import { itemsOf } from "../values/iterating.ts";
import {
  type Arguments,
  Callable,
  charactersOf,
  Dict,
  isText,
  List,
  ObjectValue,
  SafeText,
  Tuple,
  Undefined,
  type Value,
} from "../values/kinds.ts";
import { isNumeric } from "../values/numbers.ts";
import { printValue } from "../values/printing.ts";
import { SliceBounds } from "../values/slicing.ts";
import {
  bounded,
  spendArguments,
  spendCharacters,
  spendFilter,
  spendWhole,
} from "../values/spending.ts";
import { isTrue } from "../values/truth.ts";
import { typeName } from "../values/type-names.ts";
import { weightOf } from "../values/weight.ts";
import type { RenderState } from "./run-state.ts";
import type { TemplateScope } from "./scope.ts";

export function evaluate(run: RenderState, scope: TemplateScope, node: Expression): Value {
  run.meter.spend(1);
  switch (node.kind) {
    case "constant":
      return node.value;
    case "name":
      return scope.get(node.name);
    case "attribute":
      return run.memberOf(evaluate(run, scope, node.of), node.name);
    case "logical": {
      const left = evaluate(run, scope, node.left);
      return isTrue(left) === (node.operator === "or") ? left : evaluate(run, scope, node.right);
    }
    case "conditional":
      if (isTrue(evaluate(run, scope, node.test))) return evaluate(run, scope, node.value);
      return node.otherwise === null
        ? new Undefined("what has no else")
        : evaluate(run, scope, node.otherwise);
    case "concatenation":
    case "list":
    case "tuple":
    case "dict":
    case "unary":
    case "binary":
    case "comparison":
    case "item":
    case "slice":
    case "call":
    case "filter":
    case "test": {
      run.meter.enter();
      const value = bounded(evaluateNested(run, scope, node));
      run.meter.leave();
      return value;
    }
  }
}

type Nested = Exclude<
  Expression,
  { readonly kind: "constant" | "name" | "attribute" | "logical" | "conditional" }
>;

function evaluateNested(run: RenderState, scope: TemplateScope, node: Nested): Value {
  const work = (part: Expression): Value => evaluate(run, scope, part);
  switch (node.kind) {
    case "concatenation":
      return concatenated(run, node.parts.map(work));
    case "list":
      return new List(node.items.map(work));
    case "tuple":
      return new Tuple(node.items.map(work));
    case "dict":
      return Dict.of(
        node.pairs.map(([key, value]) => {
          const made = work(key);
          spendWhole(run.meter, made);
          return [made, work(value)] as const;
        }),
      );
    case "unary": {
      const operand = work(node.operand);
      run.line = node.line;
      return node.operator === "not" ? !isTrue(operand) : negated(operand, node.operator);
    }
    case "binary": {
      const [left, right] = [work(node.left), work(node.right)];
      run.line = node.line;
      if (node.operator === "%" && isText(left) && !isNumeric(left))
        return percent(run, left, right);
      return calculate(run.meter, node.operator, left, right);
    }
    case "comparison":
      return compared(run, work(node.first), { rest: node.rest, work });
    case "item": {
      const [of, key] = [work(node.of), work(node.index)];
      run.line = node.line;
      if (isText(of))
        run.meter.spend(charactersOf(of).length / (key instanceof SliceBounds ? 4 : 32));
      return run.itemOf(of, key);
    }
    case "slice": {
      const part = (bound: Expression | null): Value => (bound === null ? null : work(bound));
      return new SliceBounds(part(node.start), part(node.stop), part(node.step));
    }
    case "call": {
      const callee = work(node.callee);
      const args = argumentsOf(run, scope, node.args);
      run.line = node.line;
      spendArguments(run.meter, args);
      return call(callee, args);
    }
    case "filter": {
      const value = node.of === null ? null : work(node.of);
      return applyFilter(run, scope, { value, node });
    }
    case "test": {
      const value = work(node.of);
      const args = argumentsOf(run, scope, node.args);
      run.line = node.line;
      const test = run.tests.get(node.name);
      spendArguments(run.meter, args);
      spendWhole(run.meter, value);
      if (test === undefined) throw new TemplateError(`there is no test named ${node.name}`);
      return named(node.name, () => test(run, value, args));
    }
  }
}

function concatenated(run: RenderState, parts: readonly Value[]): string {
  for (const part of parts) spendWhole(run.meter, part);
  const texts = parts.map(printValue);
  run.meter.spendText(texts.reduce((sum, text) => sum + text.length, 0));
  return texts.join("");
}

function percent(run: RenderState, left: Value, right: Value): Value {
  spendWhole(run.meter, right);
  spendCharacters(run.meter, left);
  if (!isText(left)) return null;
  const text = charactersOf(left);
  return left instanceof SafeText
    ? formatMarkup(run.meter, text, right)
    : formatPercent(run.meter, text, right);
}

interface Rest {
  readonly rest: readonly Comparison[];
  readonly work: (part: Expression) => Value;
}

/** `a < b < c` is `a < b and b < c`. */
function compared(run: RenderState, first: Value, { rest, work }: Rest): boolean {
  let left = first;
  for (const { operator, operand } of rest) {
    const right = work(operand);
    run.line = operand.line;
    run.meter.spend(Math.min(weightOf(left), weightOf(right)));
    if (!holds(run, operator, [left, right])) return false;
    left = right;
  }
  return true;
}

function holds(
  run: RenderState,
  operator: ComparisonOperator,
  [left, right]: readonly [Value, Value],
): boolean {
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "in":
      return contains(run, right, left);
    case "not in":
      return !contains(run, right, left);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isOrdered(compare(left, right, operator), operator);
  }
}

function isOrdered(order: number | null, operator: "<" | "<=" | ">" | ">="): boolean {
  if (order === null) return false;
  if (order === 0) return operator === "<=" || operator === ">=";
  return order < 0 === operator.startsWith("<");
}

export function argumentsOf(
  run: RenderState,
  scope: TemplateScope,
  args: CallArguments,
): Arguments {
  const positional = args.positional.map((each) => evaluate(run, scope, each));
  const named = new Map(args.named.map(([name, value]) => [name, evaluate(run, scope, value)]));
  if (args.spread !== null) positional.push(...itemsOf(run, evaluate(run, scope, args.spread)));
  if (args.spreadNamed !== null) {
    const map = evaluate(run, scope, args.spreadNamed);
    if (!(map instanceof Dict)) throw new TemplateError("'**' takes a dict");
    run.meter.spend(map.size);
    for (const [key, value] of map.entries()) named.set(printValue(key), value);
  }
  return { positional, named };
}

export function call(callee: Value, args: Arguments): Value {
  if (callee instanceof Undefined) throw new TemplateError(`${callee.what} is undefined`);
  if (callee instanceof Callable) return named(callee.name, () => callee.call(args));
  const result = callee instanceof ObjectValue ? callee.call(args) : undefined;
  if (result === undefined) throw new TemplateError(`a ${typeName(callee)} cannot be called`);
  return result;
}

export interface Filtering {
  readonly value: Value;
  readonly node: Extract<Expression, { readonly kind: "filter" }>;
}

export function applyFilter(
  run: RenderState,
  scope: TemplateScope,
  { value, node }: Filtering,
): Value {
  const args = argumentsOf(run, scope, node.args);
  run.line = node.line;
  const filter = run.filters.get(node.name);
  if (filter === undefined) throw new TemplateError(`there is no filter named ${node.name}`);
  spendFilter(run.meter, node.name, value);
  spendArguments(run.meter, args);
  return named(node.name, () => filter(run, value, args));
}

/** Tells what was called where that failed. */
function named<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError) || error.isNamed) throw error;
    throw error.namedBy(name);
  }
}
