// The template of a concurrency key: text with placeholders for a run's parameters, tags and name.
// It has no loops, filters or conditions, so that creating a run can afford it.

/** What a template may read of a run. */
export interface TemplatedRun {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

export interface KeyProblem {
  readonly problem: string;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const PATH = /^(?:name|tags(?:\.[^\s.]+)?|parameters(?:\.[^\s.]+)+)$/;
const MAX_PLACEHOLDERS = 20;

/** Null when the template can be used; else what is wrong with it. */
export function templateProblem(template: string): string | null {
  const paths = Array.from(template.matchAll(PLACEHOLDER), ([, path = ""]) => path.trim());
  if (/\{\{|\}\}|\{%/.test(template.replaceAll(PLACEHOLDER, "")))
    return "the template has braces that belong to no placeholder";
  if (paths.length === 0)
    return "the template has no placeholder, such as {{ parameters.customer }}";
  if (paths.length > MAX_PLACEHOLDERS)
    return `the template has more than ${MAX_PLACEHOLDERS} placeholders`;
  const unknown = paths.find((path) => !PATH.test(path));
  return unknown === undefined
    ? null
    : `{{ ${unknown} }} is not parameters.<name>, tags, tags.<prefix> or name`;
}

/** Strict: a placeholder without a value is a problem, and no empty text. */
export function fillTemplate(
  template: string,
  run: TemplatedRun,
  format: (value: unknown) => string,
): { readonly text: string } | KeyProblem {
  const missing: string[] = [];
  const text = template.replaceAll(PLACEHOLDER, (_, path: string) => {
    const value = valueAt(path.trim(), run);
    if (value === undefined || value === null) missing.push(path.trim());
    return value === undefined || value === null ? "" : format(value);
  });
  if (missing.length > 0) return { problem: `the run has no ${missing.join(", ")}` };
  return text.trim() === "" ? { problem: "it is empty" } : { text };
}

function valueAt(path: string, { name, parameters, tags }: TemplatedRun): unknown {
  const [root, ...members] = path.split(".");
  if (root === "name") return name;
  if (root === "tags") return members.length === 0 ? tags.toSorted() : tagged(members[0], tags);
  return members.reduce(memberOf, parameters as unknown);
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isHolder ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The rest of the one tag that begins with `prefix:`; a run with several has none. */
function tagged(prefix: string | undefined, tags: readonly string[]): string | undefined {
  const found = tags.filter((tag) => tag.startsWith(`${prefix}:`));
  return found.length === 1 ? found[0]?.slice(`${prefix}:`.length) : undefined;
}
