// Counts what a template does and makes, so that each has an end: the same template comes as far on
// a slow machine.

import { CostlyTemplate, TemplateError } from "../template-error.ts";

/** Work for several templates together, so that many large ones do not add up. */
export interface RenderBudget {
  remainingSteps: number;
  /** In the event loop, what is not provably cheap ends with `CostlyTemplate`. */
  readonly isInline: boolean;
}

const STEPS_OF_ONE = 1_000_000;
/** About a millisecond: what the event loop may spend on one rendering. */
const INLINE_STEPS = 10_000;
/** So many characters that are made are as much as one step. */
const CHARACTERS_PER_STEP = 32;
/** No text is longer. */
export const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_BITS = 100_000;
const MAX_DEPTH = 400;

export const renderBudget = (remainingSteps = 2 * STEPS_OF_ONE): RenderBudget => ({
  remainingSteps,
  isInline: false,
});

export const inlineBudget = (): RenderBudget => ({ remainingSteps: INLINE_STEPS, isInline: true });

export class Meter {
  readonly #budget: RenderBudget;
  #remaining: number;
  #depth = 0;

  constructor(budget: RenderBudget) {
    this.#budget = budget;
    this.#remaining = Math.min(STEPS_OF_ONE, budget.remainingSteps);
  }

  spend(steps: number): void {
    this.#remaining -= steps;
    this.#budget.remainingSteps -= steps;
    if (this.#remaining >= 0) return;
    throw this.#budget.isInline
      ? new CostlyTemplate()
      : new TemplateError("the template takes too long to render");
  }

  /** Before a text of so many characters is made. */
  spendText(characters: number): void {
    if (!(characters <= MAX_TEXT_CHARACTERS))
      throw new TemplateError(
        `the template takes too much memory to render: a text of more than ${MAX_TEXT_CHARACTERS} characters`,
      );
    this.spend(characters / CHARACTERS_PER_STEP);
  }

  /** Before a list of so many items is made. */
  spendItems(items: number): void {
    if (!(items <= STEPS_OF_ONE))
      throw new TemplateError(
        `the template takes too much memory to render: a list of more than ${STEPS_OF_ONE} items`,
      );
    this.spend(items);
  }

  /** Before a whole number of about so many bits is made. */
  spendBits(bits: number): void {
    if (!(bits <= MAX_BITS))
      throw new TemplateError(
        `the template takes too much memory to render: a number of more than ${MAX_BITS} bits`,
      );
    // To multiply two of them takes the square of their length.
    this.spend((bits / 256) ** 2 / 8);
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new TemplateError(`the template reached the recursion limit of ${MAX_DEPTH}`);
  }

  leave(): void {
    this.#depth -= 1;
  }
}
