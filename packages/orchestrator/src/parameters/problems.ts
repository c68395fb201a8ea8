import type { SchemaValidationError } from "@orchestrator/contract";

export type JsonPath = readonly (string | number)[];

/** One thing that is wrong with a value, and where. */
export interface ValueProblem {
  readonly path: JsonPath;
  readonly message: string;
}

const PLAIN_NAME = /^[\w-]+$/;
const MAX_NAME = 100;

/** `parameters.servers[0].port`; names that would be misread are quoted. */
export function pathText(root: string, path: JsonPath): string {
  let text = root;
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (!PLAIN_NAME.test(part) || part.length > MAX_NAME) {
      text += `[${JSON.stringify(part.slice(0, MAX_NAME))}]`;
    } else text += text === "" ? part : `.${part}`;
  }
  return text;
}

/** `parameters.name: must be integer` */
export function sentences(problems: readonly ValueProblem[], root = "parameters"): string[] {
  return problems.map(({ path, message }) => `${pathText(root, path)}: ${message}`);
}

/** Whether the first path is the second, or leads to something inside it. */
export function isWithin(path: JsonPath, place: JsonPath): boolean {
  return place.every((part, index) => path[index] === part);
}

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
