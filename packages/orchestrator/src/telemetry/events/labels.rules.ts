import { RESOURCE_PREFIXES } from "@orchestrator/kernel/pure";

export { type ResourceLabels, resourceLabel } from "@orchestrator/kernel/pure";

/**
 * What follows the prefix and a kind, where the text begins with them: the id in
 * `prefect.task-run.<id>`.
 */
export function withoutPrefix(text: string, kind: string): string | null {
  for (const prefix of RESOURCE_PREFIXES) {
    const start = `${prefix}.${kind}`;
    if (text.startsWith(start)) return text.slice(start.length);
  }
  return null;
}
