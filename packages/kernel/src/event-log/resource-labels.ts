/** Labels of a resource, by name. */
export type ResourceLabels = Readonly<Record<string, string>>;

/** What the names of labels and events may begin with, whichever way the server itself speaks. */
export const RESOURCE_PREFIXES = ["prefect", "orchestrator"] as const;

const spellings = new Map<string, readonly string[]>();

/**
 * A label by its name without the prefix: `resource.id`. The names come from the program, so they
 * are few.
 */
export function resourceLabel(labels: ResourceLabels, name: string): string | undefined {
  let keys = spellings.get(name);
  if (keys === undefined) {
    keys = RESOURCE_PREFIXES.map((prefix) => `${prefix}.${name}`);
    spellings.set(name, keys);
  }
  for (const key of keys) {
    const value = labels[key];
    if (value !== undefined) return value;
  }
  return undefined;
}
