import type { TemplateProblem } from "@orchestrator/contract";
import type { ReferencedMembers, RenderBudget } from "@orchestrator/jinja";
import { templates } from "./engine.ts";

/** What is wrong with one of several templates. */
export interface CheckedTemplate {
  readonly index: number;
  readonly problem: TemplateProblem;
}

export function firstProblem(
  texts: readonly string[],
  budget: RenderBudget,
): CheckedTemplate | null {
  for (const [index, text] of texts.entries()) {
    const problem = templates.check(text, budget);
    if (problem !== null) return { index, problem };
  }
  return null;
}

/** Which members of the thing of that name any of the templates may look at. */
export function membersOfAll(
  texts: readonly string[],
  name: string,
  budget: RenderBudget,
): ReferencedMembers {
  const members = new Set<string>();
  for (const text of texts) {
    const asked = templates.membersAsked(text, name, budget);
    if (asked === "all") return "all";
    for (const member of asked) members.add(member);
  }
  return members;
}
