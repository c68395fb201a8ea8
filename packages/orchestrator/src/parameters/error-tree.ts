import type { SchemaValidationError } from "@orchestrator/contract";
import type { ValueProblem } from "@orchestrator/json-schema/problems";

interface Branch {
  readonly own: string[];
  readonly below: Map<string | number, Branch>;
}

/** The problems arranged as forms show them: beside the field they belong to. */
export function errorTree(problems: readonly ValueProblem[]): SchemaValidationError[] {
  const root: Branch = { own: [], below: new Map() };
  for (const { path, message } of problems) {
    let branch = root;
    for (const part of path) {
      let next = branch.below.get(part);
      if (next === undefined) {
        next = { own: [], below: new Map() };
        branch.below.set(part, next);
      }
      branch = next;
    }
    branch.own.push(message);
  }
  return entries(root);
}

function entries({ own, below }: Branch): SchemaValidationError[] {
  const nested = [...below].map(([part, branch]): SchemaValidationError => {
    const errors = entries(branch);
    return typeof part === "number" ? { index: part, errors } : { property: part, errors };
  });
  return [...own, ...nested];
}
