import { isCheap } from "./is-cheap.ts";
import type { TemplateTree } from "./language/nodes.ts";
import { parseTemplate } from "./language/parse-statements.ts";
import { FILTERS, TESTS } from "./library.ts";
import { LIBRARY_GLOBALS } from "./library-globals.ts";
import { type ReferencedMembers, referencedMembers } from "./referenced-members.ts";
import { TemplateExecution } from "./running/execute.ts";
import { RenderState } from "./running/run-state.ts";
import { TemplateScope } from "./running/scope.ts";
import { CostlyTemplate, TemplateError, type TemplateProblem } from "./template-error.ts";
import { findExcess, findUnknown, MAX_CHARACTERS } from "./template-limits.ts";
import { fromData } from "./values/from-data.ts";
import type { Value } from "./values/kinds.ts";
import { Meter, type RenderBudget, renderBudget } from "./values/meter.ts";
import type { TemplateFilter } from "./values/run.ts";

/** The text, or why there is none. */
export type Rendering =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: TemplateProblem };

export type TemplateContext = Readonly<Record<string, unknown>>;

/**
 * Throws `CostlyTemplate` where the budget is that of the event loop and the template is not
 * provably cheap.
 */
export interface TemplateEngine {
  readonly render: (template: string, context: TemplateContext, budget?: RenderBudget) => Rendering;
  /** Null when the template can be rendered; else what is wrong with it. */
  readonly check: (template: string, budget?: RenderBudget) => TemplateProblem | null;
  /**
   * Which members of the thing of that name the template may look at; all, where that cannot be
   * told.
   */
  readonly membersAsked: (
    template: string,
    name: string,
    budget?: RenderBudget,
  ) => ReferencedMembers;
}

/** Whether a text has anything to render. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

/**
 * Whether a text can be a template that is not right: a comment that does not end is none, though
 * there is nothing to render.
 */
export function mayBeWrong(text: string): boolean {
  return isTemplate(text) || text.includes("{#");
}

/** Parsed templates by their text: a `Map`, or a cache with a bound where users write them. */
export interface TemplateCache {
  readonly get: (template: string) => TemplateTree | undefined;
  readonly set: (template: string, tree: TemplateTree) => unknown;
}

export interface EngineOptions {
  /** Microseconds since 1970. */
  readonly nowMicros: () => number;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  readonly cache: TemplateCache;
  /** Further filters. They run in the event loop, so they must be cheap. @default none */
  readonly filters?: Readonly<Record<string, TemplateFilter>>;
}

/** To parse a template takes about so many steps for each of its characters. */
const STEPS_PER_CHARACTER = 1;
/** A template of so many characters is parsed in less than a millisecond. */
const MAX_INLINE_CHARACTERS = 4096;

/** Reads and runs templates as Jinja does. They see data, and nothing else. */
export function createTemplateEngine(options: EngineOptions): TemplateEngine {
  const { nowMicros, random, cache, filters: further = {} } = options;
  const filters = new Map([...FILTERS, ...Object.entries(further)]);
  const library = { filters, tests: TESTS, nowMicros, random };
  const cheapFilters = new Set(Object.keys(further));

  function treeOf(template: string, { isInline }: RenderBudget, meter: Meter): TemplateTree {
    if (isInline && template.length > MAX_INLINE_CHARACTERS) throw new CostlyTemplate();
    if (template.length > MAX_CHARACTERS)
      throw new TemplateError(`the template is longer than ${MAX_CHARACTERS} characters`, 1);
    meter.spend(template.length * STEPS_PER_CHARACTER);
    const known = cache.get(template);
    if (known !== undefined) return known;
    const tree = parseTemplate(template);
    const excess = findExcess(tree.body);
    if (excess !== null) throw new TemplateError(excess.message, excess.line);
    cache.set(template, tree);
    return tree;
  }

  return {
    render(template, context, budget = renderBudget()) {
      const run = new RenderState(new Meter(budget), library);
      try {
        const tree = treeOf(template, budget, run.meter);
        if (budget.isInline && !isCheap(tree.body, cheapFilters)) throw new CostlyTemplate();
        const top = new TemplateScope(surroundings(context));
        return { text: new TemplateExecution(run, top).render(tree.body, top), problem: null };
      } catch (error) {
        return { text: null, problem: explain(error, template, run.line) };
      }
    },

    check(template, budget = renderBudget()) {
      try {
        const fault = findUnknown(treeOf(template, budget, new Meter(budget)).body, library);
        return fault === null ? null : { ...fault, source: template };
      } catch (error) {
        return explain(error, template, 1);
      }
    },

    membersAsked(template, name, budget = renderBudget()) {
      try {
        return referencedMembers(treeOf(template, budget, new Meter(budget)).body, name);
      } catch (error) {
        if (error instanceof CostlyTemplate) throw error;
        return "all";
      }
    },
  };
}

/** What a template is given, and what every template has. */
function surroundings(context: TemplateContext): (name: string) => Value | undefined {
  const known = new Map<string, Value>();
  return (name) => {
    if (!Object.hasOwn(context, name)) return LIBRARY_GLOBALS.get(name);
    let value = known.get(name);
    if (value === undefined) {
      value = fromData(context[name]);
      known.set(name, value);
    }
    return value;
  };
}

function explain(error: unknown, source: string, line: number): TemplateProblem {
  if (error instanceof TemplateError)
    return { line: error.line ?? line, message: error.message, source };
  // The stack of the language is smaller than what may be nested.
  if (!(error instanceof RangeError)) throw error;
  const message = error.message.startsWith("Maximum call stack")
    ? "the template reached the recursion limit"
    : "a number or a length is out of range";
  return { line, message, source };
}
