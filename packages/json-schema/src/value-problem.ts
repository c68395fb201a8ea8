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
