// Templates of an action and what they see. What is not provably cheap runs on a thread.

import { readJson, writeJson } from "@orchestrator/exact-json";
import { inlineBudget } from "@orchestrator/jinja";
import {
  type Compute,
  computeJob,
  inlineOrOnThread,
  threadModule,
} from "@orchestrator/kernel/compute";
import type { HydrationContext } from "../../../parameters/hydrate.ts";
import { ActionFailed } from "../../firings/action-failed.ts";
import { type ActionContext, templateContextOf } from "./action-context.rules.ts";
import type * as jobs from "./action-template-jobs.ts";
import { type RenderedTexts, renderTexts } from "./render-texts.rules.ts";

const module = threadModule(import.meta.url, "action-template-jobs");
const TITLE = "The template";
const texts = computeJob<typeof jobs.renderTextsOnThread>(module, "renderTextsOnThread", TITLE);
const hydration = computeJob<typeof jobs.hydrateAction>(module, "hydrateAction", TITLE);

/** A context of so many characters is looked at within a millisecond. */
const MAX_INLINE_CHARACTERS = 65_536;

export interface ActionTemplates {
  /** Throws `ActionFailed` where a template cannot be rendered. */
  readonly render: (value: unknown, options: { readonly isTyped: boolean }) => Promise<unknown>;
  /** What the templates of placeholders see. */
  readonly context: HydrationContext;
}

export function computeAction(compute: Compute, context: ActionContext): ActionTemplates {
  const text = writeJson(context);
  const isLarge = text.length > MAX_INLINE_CHARACTERS;
  const values = isLarge ? {} : templateContextOf(context);
  const budget = inlineBudget();
  if (isLarge) budget.remainingSteps = 0;

  const onThread = async (value: unknown, isTyped: boolean): Promise<RenderedTexts> => {
    const job = { value: writeJson(value), context: text, isTyped };
    const rendered = await compute.run(texts, job);
    return { ...rendered, value: readJson(rendered.value) } as RenderedTexts;
  };

  return {
    async render(value, { isTyped }) {
      const rendered = await inlineOrOnThread(
        () => renderTexts(value, { context: values, budget, isTyped }),
        () => onThread(value, isTyped),
      );
      if (rendered.failure === null) return rendered.value;
      const { message, source } = rendered.failure;
      throw new ActionFailed(`A template could not be rendered: ${message}`, {
        template_error: message,
        template_source: source,
      });
    },
    context: {
      values,
      isLarge,
      onThread: (job) => compute.run(hydration, { ...job, context: text }),
    },
  };
}
