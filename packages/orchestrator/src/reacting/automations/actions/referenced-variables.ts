// The variables that the templates of an action look at. Most name one or two of them; a template
// may as well go through all, of which there can be very many.

import { type JsonMap, readJson } from "@orchestrator/exact-json";
import { isTemplate } from "@orchestrator/jinja";
import type { Compute } from "@orchestrator/kernel/compute";
import { yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import { findReferencedMembers } from "../../../templates/compute-templates.ts";
import { variableValues } from "../../../workspace/variables/variable-values.store.ts";
import { ActionFailed } from "../../firings/action-failed.ts";
import { findVariablesAfter } from "./referenced-variables.store.ts";

const NAME = "variables";
const MAX_VARIABLES = 10_000;
const READ_AT_ONCE = 200;

/** Null where no template looks at any. */
export async function readReferencedVariables(
  compute: Compute,
  queries: Queries,
  action: unknown,
): Promise<JsonMap | null> {
  const texts = [...textsIn(action)].filter((text) => text.includes(NAME) && isTemplate(text));
  if (texts.length === 0) return null;
  const members = await findReferencedMembers(compute, { texts, name: NAME });
  if (members === "all") return readAll(queries);
  return Object.fromEntries(await variableValues(queries)([...members]));
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) yield* textsIn(member);
}

async function readAll(queries: Queries): Promise<JsonMap> {
  const turn = yieldingBetweenSteps();
  const variables: [name: string, value: unknown][] = [];
  for (;;) {
    const page = { name: variables.at(-1)?.[0] ?? "", limit: READ_AT_ONCE };
    const rows = await findVariablesAfter(queries, page);
    for (const { name, value } of rows) variables.push([name, readJson(value)]);
    if (variables.length > MAX_VARIABLES)
      throw new ActionFailed(
        `A template that goes through \`${NAME}\` can be rendered only where there are at most ${MAX_VARIABLES}: it can name those that it needs`,
      );
    if (rows.length < READ_AT_ONCE) return Object.fromEntries(variables);
    await turn();
  }
}
