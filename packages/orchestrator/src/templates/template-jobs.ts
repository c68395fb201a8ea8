// What threads do for `compute-templates.ts`.

import { readJson } from "@orchestrator/exact-json";
import {
  type ReferencedMembers,
  type Rendering,
  renderBudget,
  type TemplateContext,
} from "@orchestrator/jinja";
import { templates } from "./engine.ts";
import { type CheckedTemplate, firstProblem, membersOfAll } from "./several-templates.ts";

export interface RenderJob {
  readonly template: string;
  /** As a text, because a thread is sent plain data and long numbers are none. */
  readonly context: string;
}

export const renderOnThread = ({ template, context }: RenderJob): Rendering =>
  templates.render(template, readJson(context) as TemplateContext);

export const checkOnThread = (texts: readonly string[]): CheckedTemplate | null =>
  firstProblem(texts, renderBudget());

export interface MembersJob {
  readonly texts: readonly string[];
  readonly name: string;
}

export const membersOnThread = ({ texts, name }: MembersJob): ReferencedMembers =>
  membersOfAll(texts, name, renderBudget());
