// Goes through the tree of a template, to say things about it before it runs.

import type { CallArguments, Expression, TemplateBody, TemplateStatement } from "./nodes.ts";

/** Every node below the given ones, with how many loops there are around it. */
export interface Visitor {
  readonly statement?: (statement: TemplateStatement, loops: number) => void;
  readonly expression?: (expression: Expression) => void;
}

export function walk(body: TemplateBody, visitor: Visitor, loops = 0): void {
  for (const statement of body) {
    visitor.statement?.(statement, loops);
    for (const expression of expressionsOf(statement)) walkExpression(expression, visitor);
    const inside = statement.kind === "for" ? loops + 1 : loops;
    for (const part of bodiesOf(statement)) walk(part, visitor, inside);
  }
}

export function assignedNamesIn(body: TemplateBody): ReadonlySet<string> {
  const names = new Set<string>();
  walk(body, {
    expression: (found) => {
      if (found.kind === "name") names.add(found.name);
    },
  });
  return names;
}

function bodiesOf(statement: TemplateStatement): readonly TemplateBody[] {
  switch (statement.kind) {
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case "for":
      return [statement.body, statement.otherwise];
    case "macro":
    case "set-block":
    case "filter-block":
    case "with":
    case "autoescape":
    case "block":
      return [statement.body];
    case "call-block":
      return [[statement.caller]];
    case "text":
    case "print":
    case "set":
    case "other-template":
      return [];
  }
}

function expressionsOf(statement: TemplateStatement): readonly (Expression | null)[] {
  switch (statement.kind) {
    case "print":
    case "set":
      return [statement.value];
    case "if":
      return statement.branches.map(({ test }) => test);
    case "for":
      return [statement.over, statement.test];
    case "macro":
      return statement.parameters.map(({ fallback }) => fallback);
    case "set-block":
    case "filter-block":
      return [statement.filter];
    case "call-block":
      return [statement.call];
    case "autoescape":
      return [statement.isOn];
    case "with":
      return statement.bindings.map(({ value }) => value);
    case "text":
    case "block":
    case "other-template":
      return [];
  }
}

function walkExpression(expression: Expression | null, visitor: Visitor): void {
  // Long sums are deep trees, so the way is kept in a list.
  const rest: (Expression | null)[] = [expression];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next === null) continue;
    visitor.expression?.(next);
    for (const part of partsOf(next)) rest.push(part);
  }
}

function partsOf(expression: Expression): readonly (Expression | null)[] {
  switch (expression.kind) {
    case "constant":
    case "name":
      return [];
    case "concatenation":
      return expression.parts;
    case "list":
    case "tuple":
      return expression.items;
    case "dict":
      return expression.pairs.flat();
    case "unary":
      return [expression.operand];
    case "binary":
    case "logical":
      return [expression.left, expression.right];
    case "comparison":
      return [expression.first, ...expression.rest.map(({ operand }) => operand)];
    case "conditional":
      return [expression.test, expression.value, expression.otherwise];
    case "attribute":
      return [expression.of];
    case "item":
      return [expression.of, expression.index];
    case "slice":
      return [expression.start, expression.stop, expression.step];
    case "call":
      return [expression.callee, ...argumentsOf(expression.args)];
    case "filter":
    case "test":
      return [expression.of, ...argumentsOf(expression.args)];
  }
}

function argumentsOf({
  positional,
  named,
  spread,
  spreadNamed,
}: CallArguments): (Expression | null)[] {
  return [...positional, ...named.map(([, value]) => value), spread, spreadNamed];
}
