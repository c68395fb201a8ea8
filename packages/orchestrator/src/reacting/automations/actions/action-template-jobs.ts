// What threads do for `render.service.ts`.

import { readJson, writeJson } from "@orchestrator/exact-json";
import { renderBudget, type TemplateContext } from "@orchestrator/jinja";
import {
  type HydrateJob,
  type HydrateJobResult,
  hydrateWith,
} from "../../../parameters/hydrate-jobs.ts";
import { type ActionContext, templateContextOf } from "./action-context.rules.ts";
import { type RenderedTexts, renderTexts } from "./render-texts.rules.ts";

/** As texts, because a thread is sent plain data and long numbers are none. */
export interface RenderTextsJob {
  readonly value: string;
  readonly context: string;
  readonly isTyped: boolean;
}

export interface RenderTextsJobResult extends Pick<RenderedTexts, "failure"> {
  readonly value: string;
}

export function renderTextsOnThread({
  value,
  context,
  isTyped,
}: RenderTextsJob): RenderTextsJobResult {
  const rendering = { context: readContext(context), budget: renderBudget(), isTyped };
  const rendered = renderTexts(readJson(value), rendering);
  return { value: writeJson(rendered.value), failure: rendered.failure };
}

export interface HydrateActionJob extends HydrateJob {
  readonly context: string;
}

export const hydrateAction = ({ context, ...job }: HydrateActionJob): HydrateJobResult =>
  hydrateWith(job, readContext(context));

const readContext = (text: string): TemplateContext =>
  templateContextOf(readJson(text) as ActionContext);
