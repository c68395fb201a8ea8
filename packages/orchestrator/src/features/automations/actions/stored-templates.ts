// Templates that are the values of variables: what they look at has to be read as well.

import type { Queries } from "@orchestrator/kernel";
import { readPlaceholder } from "../../../parameters/placeholders.ts";
import { variableValues } from "../../../parameters/variable-values.store.ts";

export async function storedTemplates(queries: Queries, parameters: unknown): Promise<unknown[]> {
  const names = new Set(variablesOfTemplates(parameters));
  return [...(await variableValues(queries)([...names])).values()];
}

function* variablesOfTemplates(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const placeholder = readPlaceholder(value);
  if (placeholder?.kind === "jinja") {
    const template = readPlaceholder(placeholder.fields["template"]);
    const name = template?.kind === "workspace_variable" && template.fields["variable_name"];
    if (typeof name === "string") yield name;
  }
  for (const member of Object.values(value)) yield* variablesOfTemplates(member);
}
