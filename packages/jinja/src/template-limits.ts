// What can be said about a template before it runs.

import type { TemplateBody } from "./language/nodes.ts";
import { walk } from "./language/walk.ts";

export interface TemplateFault {
  readonly line: number;
  readonly message: string;
}

export const MAX_CHARACTERS = 100_000;
const MAX_LOOPS = 10;
const MAX_NESTING = 2;

/** What a template may not do. */
export function findExcess(body: TemplateBody): TemplateFault | null {
  let fault: TemplateFault | null = null;
  let count = 0;
  walk(body, {
    statement: ({ kind, line }, loops) => {
      if (kind !== "for") return;
      count += 1;
      if (count > MAX_LOOPS) fault ??= { line, message: `there are more than ${MAX_LOOPS} loops` };
      if (loops >= MAX_NESTING)
        fault ??= { line, message: `loops are nested more than ${MAX_NESTING} deep` };
    },
  });
  return fault;
}

interface Known {
  readonly filters: ReadonlyMap<string, unknown>;
  readonly tests: ReadonlyMap<string, unknown>;
}

/** A filter or test that does not exist; it would be missed only when its place is reached. */
export function findUnknown(body: TemplateBody, { filters, tests }: Known): TemplateFault | null {
  const faults: TemplateFault[] = [];
  walk(body, {
    expression: (found) => {
      const known = found.kind === "filter" ? filters : found.kind === "test" ? tests : null;
      if (known === null || (found.kind !== "filter" && found.kind !== "test")) return;
      if (known.has(found.name)) return;
      faults.push({ line: found.line, message: `there is no ${found.kind} named ${found.name}` });
    },
  });
  return faults.toSorted((one, other) => one.line - other.line)[0] ?? null;
}
