import { isMap, type JsonMap } from "@orchestrator/exact-json";
import type { FoundProblem, SchemaCheck, ValidationRun } from "./check-run.ts";
import { exactNumberOf } from "./exact-numbers.ts";
import { type Keyword, type SchemaNode, wrong } from "./keyword.ts";
import { readPattern, WRONG_MEMBER } from "./value-keywords.ts";
import type { JsonPath } from "./value-problem.ts";

// The keywords that hand the members and items of a value to other schemas.

const NOT_EXPECTED = "is not an expected name";

/** Going through the names is work also where nothing is done with most of them. */
function namesOf(value: JsonMap, run: ValidationRun): readonly string[] {
  const names = Object.keys(value);
  run.spend(names.length);
  return names;
}

/** A null for a value that may be left out means that it is left out. */
function allowsNull(schema: unknown, isRequired: boolean, { options }: SchemaNode): boolean {
  if (isRequired || !isMap(schema)) return false;
  return options.allowNullWithDefault || !Object.hasOwn(schema, "default");
}

/** The schema, where it is given, is the one to which null is added: what it refuses says so. */
function orNull(check: SchemaCheck, schema: unknown): SchemaCheck {
  return (value, run) => {
    if (value === null) return true;
    const { found } = run;
    if (check(value, run)) return true;
    run.attribute(found, (problem) => optionalIn(schema, problem));
    return false;
  };
}

function optionalIn(schema: unknown, problem: FoundProblem): FoundProblem {
  const { violation } = problem;
  if (violation === undefined || violation.schema !== schema) return problem;
  return { ...problem, violation: { ...violation, isOptional: true } };
}

/** Where the established clients describe the parameters of a flow and what these are made of. */
function isFormPlace(place: JsonPath): boolean {
  const rest = place[0] === "definitions" ? place.slice(2) : place;
  return rest.every((part, index) => index % 2 === 1 || part === "properties");
}

const properties: Keyword = (value, node) => {
  if (!isMap(value)) throw wrong(node, "properties", "must be an object");
  const { required } = node.schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const optional = (schema: unknown) => (isFormPlace(node.place) ? schema : null);
  const checks = Object.entries(value).map(([name, schema]) => {
    const check = node.part(schema, "properties", name);
    return [
      name,
      allowsNull(schema, needed.has(name), node) ? orNull(check, optional(schema)) : check,
    ] as const;
  });
  return (given, run) => {
    if (!isMap(given)) return true;
    run.spend(checks.length);
    let fits = true;
    for (const [name, check] of checks) {
      if (!Object.hasOwn(given, name)) continue;
      if (!run.member(name, given[name], check)) fits = false;
      run.seen?.names.add(name);
    }
    return fits;
  };
};

const patternProperties: Keyword = (value, node) => {
  if (!isMap(value)) throw wrong(node, "patternProperties", "must be an object");
  const rules = Object.entries(value).map(([source, schema]) => ({
    pattern: readPattern(source, node, "patternProperties", source),
    check: node.part(schema, "patternProperties", source),
  }));
  return (given, run) => {
    if (!isMap(given)) return true;
    let fits = true;
    for (const name of namesOf(given, run)) {
      for (const { pattern, check } of rules) {
        if (!run.matches(pattern, name)) continue;
        if (!run.member(name, given[name], check)) fits = false;
        run.seen?.names.add(name);
      }
    }
    return fits;
  };
};

const additionalProperties: Keyword = (value, node) => {
  const { properties: named, patternProperties: patterned } = node.schema;
  const names = new Set(isMap(named) ? Object.keys(named) : []);
  const patterns = Object.keys(isMap(patterned) ? patterned : {}).map((source) =>
    readPattern(source, node, "patternProperties", source),
  );
  const check = value === false ? null : node.part(value, "additionalProperties");
  return (given, run) => {
    if (!isMap(given)) return true;
    let fits = true;
    for (const name of namesOf(given, run)) {
      if (names.has(name) || patterns.some((pattern) => run.matches(pattern, name))) continue;
      if (check === null) fits = run.failAt(name, NOT_EXPECTED, WRONG_MEMBER);
      else if (!run.member(name, given[name], check)) fits = false;
      run.seen?.names.add(name);
    }
    return fits;
  };
};

const propertyNames: Keyword = (value, node) => {
  const check = node.part(value, "propertyNames");
  return (given, run) => {
    if (!isMap(given)) return true;
    let fits = true;
    for (const name of namesOf(given, run)) {
      const outcome = run.aside(() => run.member(name, name, check));
      if (outcome.fits) continue;
      const [problem] = outcome.problems;
      fits = run.fail(`the name ${problem?.message ?? "is not allowed"}`, {
        path: [...run.path, name],
        distance: WRONG_MEMBER,
        violation: problem?.violation && { ...problem.violation, isOfName: true },
      });
    }
    return fits;
  };
};

/** A list of schemas for the first items, in the present and in the older spelling. */
function readTuple({ schema }: SchemaNode): { readonly list: unknown; readonly keyword: string } {
  const keyword = Array.isArray(schema["items"]) ? "items" : "prefixItems";
  return { list: schema[keyword], keyword };
}

const prefixItems: Keyword = (_value, node) => {
  const { list, keyword } = readTuple(node);
  if (!Array.isArray(list)) throw wrong(node, keyword, "must be a list of schemas");
  const checks = list.map((schema, index) => node.part(schema, keyword, index));
  return (given, run) => {
    if (!Array.isArray(given)) return true;
    let fits = true;
    for (const [index, check] of checks.entries()) {
      if (index >= given.length) break;
      if (!run.member(index, given[index], check)) fits = false;
      run.seen?.indexes.add(index);
    }
    return fits;
  };
};

const items: Keyword = (value, node) => {
  if (Array.isArray(value)) return prefixItems(value, node);
  return restOfItems(node.part(value, "items"), node);
};

/** The older spelling of `items` beside a list of schemas. */
const additionalItems: Keyword = (value, node) =>
  Array.isArray(node.schema["items"])
    ? restOfItems(node.part(value, "additionalItems"), node)
    : null;

function restOfItems(check: SchemaCheck, node: SchemaNode): SchemaCheck {
  const { list } = readTuple(node);
  const first = Array.isArray(list) ? list.length : 0;
  return (given, run) => {
    if (!Array.isArray(given)) return true;
    let fits = true;
    for (let index = first; index < given.length; index += 1) {
      if (!run.member(index, given[index], check)) fits = false;
      run.seen?.indexes.add(index);
    }
    return fits;
  };
}

const contains: Keyword = (value, node) => {
  const check = node.part(value, "contains");
  const least = countOf(node, "minContains") ?? 1;
  const most = countOf(node, "maxContains") ?? Number.POSITIVE_INFINITY;
  return (given, run) => {
    if (!Array.isArray(given)) return true;
    let count = 0;
    for (const [index, item] of given.entries()) {
      if (!run.aside(() => run.member(index, item, check)).fits) continue;
      count += 1;
      run.seen?.indexes.add(index);
    }
    const violation = (keyword: string) => ({ violation: { keyword, schema: node.schema, given } });
    if (count < least)
      return run.fail(
        `must contain at least ${least} items of the wanted kind`,
        violation(count === 0 ? "contains" : "minContains"),
      );
    if (count > most)
      return run.fail(
        `must contain at most ${most} items of the wanted kind`,
        violation("maxContains"),
      );
    return true;
  };
};

function countOf(node: SchemaNode, keyword: string): number | null {
  const value = node.schema[keyword];
  if (value === undefined) return null;
  const number = exactNumberOf(value);
  if (number !== null && number >= 0) return Number(number);
  throw wrong(node, keyword, "must be a number, 0 or more");
}

const unevaluatedProperties: Keyword = (value, node) => {
  const check = value === false ? null : node.part(value, "unevaluatedProperties");
  return (given, run) => {
    if (!isMap(given)) return true;
    let fits = true;
    for (const name of namesOf(given, run)) {
      if (run.seen?.names.has(name) === true) continue;
      if (check === null) fits = run.failAt(name, NOT_EXPECTED, WRONG_MEMBER);
      else if (!run.member(name, given[name], check)) fits = false;
      run.seen?.names.add(name);
    }
    return fits;
  };
};

const unevaluatedItems: Keyword = (value, node) => {
  const check = node.part(value, "unevaluatedItems");
  return (given, run) => {
    if (!Array.isArray(given)) return true;
    run.spend(given.length);
    let fits = true;
    for (const [index, item] of given.entries()) {
      if (run.seen?.indexes.has(index) === true) continue;
      if (!run.member(index, item, check)) fits = false;
      run.seen?.indexes.add(index);
    }
    return fits;
  };
};

export const SCHEMA_KEYWORDS: Readonly<Record<string, Keyword>> = {
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  prefixItems,
  items,
  additionalItems,
  contains,
};

/** These judge what no other keyword of the schema has seen, so they come last. */
export const LAST_KEYWORDS: Readonly<Record<string, Keyword>> = {
  unevaluatedProperties,
  unevaluatedItems,
};
