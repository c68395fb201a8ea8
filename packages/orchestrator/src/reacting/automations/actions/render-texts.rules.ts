// Each text within JSON is rendered by itself: whatever it says, the whole stays JSON.

import { type JsonMap, mapMembers, readJson } from "@orchestrator/exact-json";
import { isTemplate, type RenderBudget, type TemplateContext } from "@orchestrator/jinja";
import { readPlaceholder } from "../../../parameters/placeholders.ts";
import { templates } from "../../../templates/engine.ts";

export interface TextRendering {
  readonly context: TemplateContext;
  readonly budget: RenderBudget;
  /**
   * Parameters keep the types of values and are spared where a placeholder stands; messages are
   * texts throughout.
   */
  readonly isTyped: boolean;
}

/** What was rendered, or why that failed. */
export type RenderedTexts =
  | { readonly value: unknown; readonly failure: null }
  | {
      readonly value: null;
      readonly failure: { readonly message: string; readonly source: string };
    };

class TemplateFailed extends Error {
  readonly source: string;

  constructor(message: string, source: string) {
    super(message);
    this.source = source;
  }
}

export function renderTexts(value: unknown, rendering: TextRendering): RenderedTexts {
  try {
    return { value: renderWithin(value, rendering), failure: null };
  } catch (error) {
    if (!(error instanceof TemplateFailed)) throw error;
    const { message, source } = error;
    return { value: null, failure: { message, source } };
  }
}

function renderWithin(value: unknown, rendering: TextRendering): unknown {
  if (typeof value === "string")
    return rendering.isTyped ? typed(value, rendering) : plain(value, rendering);
  if (typeof value !== "object" || value === null) return value;
  if (rendering.isTyped && readPlaceholder(value) !== null) return value;
  if (Array.isArray(value)) return value.map((item) => renderWithin(item, rendering));
  return mapMembers(value as JsonMap, (member) => renderWithin(member, rendering));
}

/** A text that is one expression and nothing else keeps the type of its value. */
const ONE_EXPRESSION = /^\s*\{\{-?((?:(?!\{\{|\}\}|\{%|%\}).)*?)-?\}\}\s*$/s;

function typed(text: string, rendering: TextRendering): unknown {
  if (!isTemplate(text)) return text;
  const expression = ONE_EXPRESSION.exec(text)?.[1];
  if (expression !== undefined) {
    const { context, budget } = rendering;
    const json = templates.render(`{{ (${expression})|tojson }}`, context, budget);
    const value = json.text === null ? undefined : parsed(json.text);
    if (value !== undefined) return value;
  }
  return plain(text, rendering);
}

function plain(text: string, { context, budget }: TextRendering): string {
  if (!isTemplate(text)) return text;
  const { text: result, problem } = templates.render(text, context, budget);
  if (problem === null) return result;
  throw new TemplateFailed(problem.message, text);
}

function parsed(json: string): unknown {
  try {
    return readJson(json) as unknown;
  } catch {
    return undefined;
  }
}
