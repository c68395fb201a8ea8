// Which templates the event loop may render: straight-line code of what takes no longer than its
// values are large, which the meter counts.

import type { Expression, TemplateBody, TemplateStatement } from "./language/nodes.ts";
import { walk } from "./language/walk.ts";

const STATEMENTS: ReadonlySet<TemplateStatement["kind"]> = new Set([
  "text",
  "print",
  "if",
  "set",
  "with",
]);

const FILTERS: ReadonlySet<string> = new Set([
  "abs",
  "capitalize",
  "count",
  "d",
  "default",
  "e",
  "escape",
  "first",
  "float",
  "int",
  "join",
  "last",
  "length",
  "lower",
  "round",
  "string",
  "title",
  "tojson",
  "trim",
  "upper",
]);

const TESTS: ReadonlySet<string> = new Set([
  "boolean",
  "defined",
  "eq",
  "equalto",
  "false",
  "float",
  "integer",
  "mapping",
  "none",
  "number",
  "sequence",
  "string",
  "true",
  "undefined",
]);

const METHODS: ReadonlySet<string> = new Set([
  "capitalize",
  "endswith",
  "get",
  "isoformat",
  "items",
  "keys",
  "lower",
  "lstrip",
  "rstrip",
  "startswith",
  "strip",
  "title",
  "upper",
  "values",
]);
/** Questions to the state of a run. */
const QUESTION = /^is_[a-z]+$/;

const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "//"]);

export function isCheap(body: TemplateBody, furtherFilters: ReadonlySet<string>): boolean {
  let isCheapSoFar = true;
  walk(body, {
    statement: ({ kind }) => {
      isCheapSoFar &&= STATEMENTS.has(kind);
    },
    expression: (found) => {
      isCheapSoFar &&= isCheapExpression(found, furtherFilters);
    },
  });
  return isCheapSoFar;
}

function isCheapExpression(found: Expression, furtherFilters: ReadonlySet<string>): boolean {
  switch (found.kind) {
    case "call": {
      const { callee } = found;
      return (
        callee.kind === "attribute" && (METHODS.has(callee.name) || QUESTION.test(callee.name))
      );
    }
    case "filter":
      return FILTERS.has(found.name) || furtherFilters.has(found.name);
    case "test":
      return TESTS.has(found.name);
    case "binary":
      return OPERATORS.has(found.operator);
    case "attribute":
    case "comparison":
    case "concatenation":
    case "conditional":
    case "constant":
    case "dict":
    case "item":
    case "list":
    case "logical":
    case "name":
    case "slice":
    case "tuple":
    case "unary":
      return true;
  }
}
