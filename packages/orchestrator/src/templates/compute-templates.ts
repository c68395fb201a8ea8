// Templates of users, rendered and checked. What is not provably cheap runs on a thread, so no
// write to the database may wait for it.

import type { TemplateProblem } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import {
  inlineBudget,
  type ReferencedMembers,
  type Rendering,
  type TemplateContext,
} from "@orchestrator/jinja";
import {
  type Compute,
  computeJob,
  inlineOrOnThread,
  threadModule,
} from "@orchestrator/kernel/compute";
import { templates } from "./engine.ts";
import { type CheckedTemplate, firstProblem, membersOfAll } from "./several-templates.ts";
import type * as jobs from "./template-jobs.ts";

const module = threadModule(import.meta.url, "template-jobs");
const TITLE = "The template";
const rendering = computeJob<typeof jobs.renderOnThread>(module, "renderOnThread", TITLE);
const check = computeJob<typeof jobs.checkOnThread>(module, "checkOnThread", TITLE);
const members = computeJob<typeof jobs.membersOnThread>(module, "membersOnThread", TITLE);

interface RenderRequest {
  readonly template: string;
  /** JSON */
  readonly context: TemplateContext;
  /** What is known to be large is not looked at in the event loop. @default false */
  readonly isLarge?: boolean;
}

export async function renderTemplate(
  compute: Compute,
  { template, context, isLarge = false }: RenderRequest,
): Promise<Rendering> {
  const onThread = (): Promise<Rendering> =>
    compute.run(rendering, { template, context: writeJson(context) });
  if (isLarge) return onThread();
  return inlineOrOnThread(() => templates.render(template, context, inlineBudget()), onThread);
}

/** Null when the template can be rendered; else what is wrong with it. */
export async function checkTemplate(
  compute: Compute,
  template: string,
): Promise<TemplateProblem | null> {
  return (await checkTemplates(compute, [template]))?.problem ?? null;
}

/** The first problem of several templates, which share one budget. */
export function checkTemplates(
  compute: Compute,
  texts: readonly string[],
): Promise<CheckedTemplate | null> {
  return inlineOrOnThread(
    () => firstProblem(texts, inlineBudget()),
    () => compute.run(check, texts),
  );
}

/**
 * Which members of the thing of that name any of the templates may look at; all, where that cannot
 * be told.
 */
export function findReferencedMembers(
  compute: Compute,
  request: jobs.MembersJob,
): Promise<ReferencedMembers> {
  const { texts, name } = request;
  return inlineOrOnThread(
    () => membersOfAll(texts, name, inlineBudget()),
    () => compute.run(members, request),
  );
}
