/** Labels of a resource, by name. */
export type ResourceLabels = Readonly<Record<string, string>>;

/** What the names of labels and events may begin with, whichever way the server itself speaks. */
export const RESOURCE_PREFIXES = ["prefect", "orchestrator"] as const;

/** A label by its name without the prefix: `resource.id`. */
export function labelOf(labels: ResourceLabels, name: string): string | undefined {
  for (const prefix of RESOURCE_PREFIXES) {
    const value = labels[`${prefix}.${name}`];
    if (value !== undefined) return value;
  }
  return undefined;
}
