import { type RenderBudget, renderBudget } from "../../templates/render.ts";

/**
 * Tries a second time what failed when half of its time was spent: it may have been stopped because the machine was busy,
 * and a sender does not come again.
 */
export function patiently<T>(
  attempt: (budget: RenderBudget) => T,
  hasFailed: (result: T) => boolean,
): T {
  const budget = renderBudget();
  const half = budget.remainingMs / 2;
  const first = attempt(budget);
  return hasFailed(first) && budget.remainingMs <= half ? attempt(renderBudget()) : first;
}
