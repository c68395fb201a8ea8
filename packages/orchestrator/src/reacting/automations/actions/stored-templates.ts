// Templates that come from variables, straight or by way of other placeholders: what they look at
// has to be read as well.

import type { Compute } from "@orchestrator/kernel/compute";
import type { Queries } from "@orchestrator/kernel/storage";
import { hydrate } from "../../../parameters/hydrate.ts";
import { readPlaceholder } from "../../../parameters/placeholders.ts";
import { variableValues } from "../../../workspace/variables/variable-values.store.ts";

/**
 * What stands for them once the parameters are worked out. What is wrong with it is said when they
 * are.
 */
export async function storedTemplates(
  compute: Compute,
  queries: Queries,
  parameters: unknown,
): Promise<unknown> {
  const { value } = await hydrate([...placeholdersOfTemplates(parameters)], {
    compute,
    variables: variableValues(queries),
    isRendered: false,
  });
  return value;
}

function* placeholdersOfTemplates(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return;
  const placeholder = readPlaceholder(value);
  const template = placeholder?.kind === "jinja" ? placeholder.fields["template"] : null;
  if (typeof template === "object" && template !== null) yield template;
  for (const member of Object.values(value)) yield* placeholdersOfTemplates(member);
}
