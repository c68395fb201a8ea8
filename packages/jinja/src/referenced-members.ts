// Which members of one thing a template may look at, as far as that can be told before it runs.

import type { Expression, TemplateBody } from "./language/nodes.ts";
import { walk } from "./language/walk.ts";
import { DICT_METHODS, REFUSED_OF_DICTS } from "./methods/dict-methods.ts";

/** Names that the template says; `all`, where it may go through them or make up a name. */
export type ReferencedMembers = ReadonlySet<string> | "all";

export function referencedMembers(body: TemplateBody, name: string): ReferencedMembers {
  const members = new Set<string>();
  let mentions = 0;
  let told = 0;
  walk(body, {
    expression: (found) => {
      if (isName(found, name)) mentions += 1;
      const member = memberOf(found, name);
      if (member === null || member in DICT_METHODS || REFUSED_OF_DICTS.has(member)) return;
      told += 1;
      members.add(member);
    },
  });
  return mentions === told ? members : "all";
}

const isName = (expression: Expression, name: string): boolean =>
  expression.kind === "name" && expression.name === name;

/**
 * What `expression` takes out of the thing, if that is its whole affair and is said in the
 * template.
 */
function memberOf(expression: Expression, name: string): string | null {
  if (expression.kind === "attribute") return isName(expression.of, name) ? expression.name : null;
  if (expression.kind !== "item" || !isName(expression.of, name)) return null;
  const { index } = expression;
  return index.kind === "constant" && typeof index.value === "string" ? index.value : null;
}
