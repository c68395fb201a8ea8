import { randomInt } from "node:crypto";
import type { TemplateProblem } from "@orchestrator/contract";
import { systemClock } from "@orchestrator/kernel";
import { Lru } from "../parameters/lru.ts";
import { runWithin, TimeLimitError } from "../parameters/time-limit.ts";
import type { TemplateTree } from "./language/nodes.ts";
import { parseTemplate } from "./language/parse-statements.ts";
import { FILTERS, TESTS } from "./library.ts";
import { LIBRARY_GLOBALS } from "./library-globals.ts";
import { type MembersAsked, membersAsked } from "./members-asked.ts";
import { Execution } from "./running/execute.ts";
import { Meter, type RenderBudget, renderBudget } from "./running/meter.ts";
import { RunState } from "./running/run-state.ts";
import { Scope } from "./running/scope.ts";
import { TemplateError } from "./template-error.ts";
import { findExcess, findUnknown, MAX_CHARACTERS } from "./template-limits.ts";
import { fromData } from "./values/from-data.ts";
import type { Value } from "./values/kinds.ts";

export { type RenderBudget, renderBudget };

/** The text, or why there is none. */
export type Rendering =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: TemplateProblem };

export type TemplateContext = Readonly<Record<string, unknown>>;

export interface TemplateEngine {
  readonly render: (template: string, context: TemplateContext, budget?: RenderBudget) => Rendering;
  /** Null when the template can be rendered; else what is wrong with it. */
  readonly check: (template: string, budget?: RenderBudget) => TemplateProblem | null;
  /** Which members of the thing of that name the template may look at; all, where that cannot be told. */
  readonly membersAsked: (template: string, name: string) => MembersAsked;
}

/** Whether a text has anything to render. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

/** Whether a text can be a template that is not right: a comment that does not end is none, though there is nothing to render. */
export function mayBeWrong(text: string): boolean {
  return isTemplate(text) || text.includes("{#");
}

/** The steps of a template end long before; this is for work that a step was not known to take. */
const LAST_RESORT_MS = 1000;
const RANDOM_STEPS = 2 ** 32;

const LIBRARY = {
  filters: FILTERS,
  tests: TESTS,
  nowMicros: () => systemClock.nowMicros(),
  random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
};

/** To parse a template takes about so many steps for each of its characters. */
const STEPS_PER_CHARACTER = 1;

const parsed = new Lru<TemplateTree>({ entries: 500, keyCharacters: 2_000_000 });

function treeOf(template: string, meter: Meter): TemplateTree {
  if (template.length > MAX_CHARACTERS)
    throw new TemplateError(`the template is longer than ${MAX_CHARACTERS} characters`, 1);
  meter.spend(template.length * STEPS_PER_CHARACTER);
  const known = parsed.get(template);
  if (known !== undefined) return known;
  const tree = parseTemplate(template);
  const excess = findExcess(tree.body);
  if (excess !== null) throw new TemplateError(excess.message, excess.line);
  parsed.set(template, tree);
  return tree;
}

/** Reads and runs templates as Jinja does. They see data, and nothing else. */
export const templates: TemplateEngine = {
  render(template, context, budget = renderBudget()) {
    const { remainingSteps } = budget;
    let run = new RunState(new Meter(budget), LIBRARY);
    try {
      const text = runWithin(LAST_RESORT_MS, () => {
        budget.remainingSteps = remainingSteps;
        run = new RunState(new Meter(budget), LIBRARY);
        const tree = treeOf(template, run.meter);
        const top = new Scope(surroundings(context));
        return new Execution(run, top).render(tree.body, top);
      });
      return { text, problem: null };
    } catch (error) {
      return { text: null, problem: explain(error, template, run.line) };
    }
  },

  check(template, budget = renderBudget()) {
    const { remainingSteps } = budget;
    try {
      const fault = runWithin(LAST_RESORT_MS, () => {
        budget.remainingSteps = remainingSteps;
        return findUnknown(treeOf(template, new Meter(budget)).body, LIBRARY);
      });
      return fault === null ? null : { ...fault, source: template };
    } catch (error) {
      return explain(error, template, 1);
    }
  },

  membersAsked(template, name) {
    try {
      return membersAsked(treeOf(template, new Meter(renderBudget())).body, name);
    } catch {
      return "all";
    }
  },
};

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
  if (error instanceof TimeLimitError)
    return { line, message: "the template takes too long to render", source };
  // The stack of the language is smaller than what may be nested.
  if (!(error instanceof RangeError)) throw error;
  const message = error.message.startsWith("Maximum call stack")
    ? "the template reached the recursion limit"
    : "a number or a length is out of range";
  return { line, message, source };
}
