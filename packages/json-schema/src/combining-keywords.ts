import { isMap } from "@orchestrator/exact-json";
import type { FoundProblem, SchemaCheck, ValidationRun } from "./check-run.ts";
import { type Keyword, type SchemaNode, wrong } from "./keyword.ts";

// The keywords that hand the same value to several schemas.

function readBranches(value: unknown, node: SchemaNode, keyword: string): readonly SchemaCheck[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw wrong(node, keyword, "must be a list of one schema or more");
  }
  return value.map((schema, index) => node.same(schema, keyword, index));
}

const allOf: Keyword = (value, node) => {
  const branches = readBranches(value, node, "allOf");
  return (given, run) => {
    let fits = true;
    for (const check of branches) {
      if (!check(given, run)) fits = false;
    }
    return fits;
  };
};

const anyOf: Keyword = (value, node) => {
  const branches = readBranches(value, node, "anyOf");
  return (given, run) => {
    const failed: FoundProblem[][] = [];
    for (const check of branches) {
      const { fits, problems } = run.aside(() => check(given, run));
      if (!fits) failed.push(problems);
      // The first match is enough, unless the others have to say what they have seen.
      else if (run.seen === null) return true;
    }
    return failed.length < branches.length || tellNearest(failed, run);
  };
};

const oneOf: Keyword = (value, node) => {
  const branches = readBranches(value, node, "oneOf");
  return (given, run) => {
    const failed: FoundProblem[][] = [];
    for (const check of branches) {
      const { fits, problems } = run.aside(() => check(given, run));
      if (!fits) failed.push(problems);
    }
    const matches = branches.length - failed.length;
    if (matches === 0) return tellNearest(failed, run);
    if (matches === 1) return true;
    return run.fail("fits more than one of the forms of which it must be one", {
      violation: { keyword: "moreThanOne", schema: node.schema, given },
    });
  };
};

/**
 * Tells what is wrong with the branch that was most likely meant. Branches for another type were
 * not; where all are, only the types are named: `must be integer or null`.
 */
function tellNearest(failed: readonly FoundProblem[][], run: ValidationRun): false {
  if (run.keepsViolations) return run.fail("fits none of the forms", { branches: failed.flat() });
  const depth = run.path.length;
  const types: string[] = [];
  let best: readonly FoundProblem[] | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const problems of failed) {
    const wrongType = problems.find(({ path, types }) => types && path.length === depth);
    if (wrongType?.types !== undefined) {
      types.push(...wrongType.types);
      continue;
    }
    const distance = problems.reduce((sum, problem) => sum + distanceOf(problem, depth), 0);
    if (distance < bestDistance) {
      best = problems;
      bestDistance = distance;
    }
  }
  if (best !== undefined) return run.tell(best);
  const wanted = [...new Set(types)];
  return run.fail(`must be ${wanted.join(" or ")}`, { types: wanted });
}

/** A wrong word further down does not speak against the branch as one in a direct member does. */
function distanceOf({ path, distance = 1 }: FoundProblem, depth: number): number {
  return path.length > depth + 1 ? 1 : distance;
}

const not: Keyword = (value, node) => {
  const check = node.same(value, "not");
  return (given, run) => {
    const { fits } = unseen(run, () => run.aside(() => check(given, run)));
    return !fits || run.fail("must not have this form");
  };
};

function unseen<T>(run: ValidationRun, work: () => T): T {
  const { seen } = run;
  run.seen = null;
  const result = work();
  run.seen = seen;
  return result;
}

const condition: Keyword = (value, node) => {
  const { then: whenTrue, else: whenFalse } = node.schema;
  const check = node.same(value, "if");
  const onTrue = whenTrue === undefined ? null : node.same(whenTrue, "then");
  const onFalse = whenFalse === undefined ? null : node.same(whenFalse, "else");
  return (given, run) => {
    const next = run.aside(() => check(given, run)).fits ? onTrue : onFalse;
    return next === null || next(given, run);
  };
};

const dependentSchemas: Keyword = (value, node) => {
  if (!isMap(value)) throw wrong(node, "dependentSchemas", "must be an object");
  const rules = Object.entries(value).map(
    ([trigger, schema]) => [trigger, node.same(schema, "dependentSchemas", trigger)] as const,
  );
  return (given, run) => {
    if (!isMap(given)) return true;
    run.spend(rules.length);
    let fits = true;
    for (const [trigger, check] of rules) {
      if (Object.hasOwn(given, trigger) && !check(given, run)) fits = false;
    }
    return fits;
  };
};

export const COMBINING_KEYWORDS: Readonly<Record<string, Keyword>> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  dependentSchemas,
};
