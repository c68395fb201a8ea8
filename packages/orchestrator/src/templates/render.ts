import type { TemplateProblem } from "@orchestrator/contract";
import { systemClock } from "@orchestrator/kernel";
import type { Environment } from "minijinja-js";
import { type CreateEnvironment, loadMinijinja } from "./load-minijinja.ts";
import { renderLongNumbers } from "./long-numbers.ts";
import { withPythonJson } from "./python-json.ts";
import { templateFilters } from "./template-filters.ts";
import { findExcess, namedFilters, type TemplateFault } from "./template-limits.ts";
import { runWithin, stopwatch, TimeLimitError } from "./time-limit.ts";

/** The text, or why there is none. */
export type Rendering =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: TemplateProblem };

/** Time for several templates together, so that many slow ones do not add up. */
export interface RenderBudget {
  remainingMs: number;
}

export interface TemplateEngine {
  readonly render: (
    template: string,
    context: Readonly<Record<string, unknown>>,
    budget?: RenderBudget,
  ) => Rendering;
  /** Null when the template can be rendered; else what is wrong with it. */
  readonly check: (template: string, budget?: RenderBudget) => TemplateProblem | null;
}

const MAX_RANGE = 100;
const MAX_OUTPUT = 524_288;
const TIME_LIMIT_MS = 250;
/** Steps of the engine. They bound loops; the time bounds steps that are dear, the memory what they make. */
const FUEL = 100_000;
/** A template that had less of the processor than this part of its time is begun anew, with more time. */
const STARVED = 0.75;
const MOST_PATIENCE = 4;
const NAME = "template";

let engine: Promise<TemplateEngine> | undefined;

/** The template engine; loaded at the first call, because most servers never render anything. */
export function loadTemplates(): Promise<TemplateEngine> {
  engine ??= loadMinijinja().then((create) => new Minijinja(create));
  return engine;
}

export function renderBudget(): RenderBudget {
  return { remainingMs: 2 * TIME_LIMIT_MS };
}

/** Whether a text has anything to render. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

class Minijinja implements TemplateEngine {
  readonly #create: CreateEnvironment;
  readonly #knownFilters = new Map<string, boolean>();
  #environment: Environment | null = null;
  /** Why a function of ours gave up. Its error does not come through the engine, which crashes instead. */
  #refusal: string | null = null;

  constructor(create: CreateEnvironment) {
    this.#create = create;
  }

  render(
    template: string,
    context: Readonly<Record<string, unknown>>,
    budget: RenderBudget = renderBudget(),
  ): Rendering {
    if (budget.remainingMs <= 0) return failed(template, NO_TIME_LEFT);
    const limitMs = Math.min(TIME_LIMIT_MS, budget.remainingMs);
    const spent = stopwatch();
    try {
      const excess = findExcess(template);
      if (excess !== null) return { text: null, problem: { ...excess, source: template } };
      const source = withPythonJson(template);
      const text = renderLongNumbers(context, (given) =>
        this.#use(limitMs, (environment) => environment.renderNamedStr(NAME, source, given)),
      );
      return text.length > MAX_OUTPUT
        ? failed(template, `the result is longer than ${MAX_OUTPUT} characters`)
        : { text, problem: null };
    } catch (error) {
      return { text: null, problem: this.#explain(error, template) };
    } finally {
      budget.remainingMs -= spent();
    }
  }

  check(template: string, budget: RenderBudget = renderBudget()): TemplateProblem | null {
    if (budget.remainingMs <= 0) return failed(template, NO_TIME_LEFT).problem;
    const limitMs = Math.min(TIME_LIMIT_MS, budget.remainingMs);
    const spent = stopwatch();
    try {
      const fault = findExcess(template) ?? this.#findUnknown(template, limitMs);
      return fault === null ? null : { ...fault, source: template };
    } catch (error) {
      return this.#explain(error, template);
    } finally {
      budget.remainingMs -= spent();
    }
  }

  /** Throws what the engine says about a template that it cannot read. */
  #findUnknown(template: string, limitMs: number): TemplateFault | null {
    this.#use(limitMs, (environment) => {
      environment.addTemplate(NAME, template);
      environment.removeTemplate(NAME);
    });
    const unknown = namedFilters(template).find(({ name }) => !this.#knows(name, limitMs));
    if (unknown === undefined) return null;
    return { line: unknown.line, message: `there is no filter named ${unknown.name}` };
  }

  #knows(filter: string, limitMs: number): boolean {
    let isKnown = this.#knownFilters.get(filter);
    if (isKnown === undefined) {
      try {
        this.#use(limitMs, (environment) => environment.evalExpr(`none|${filter}`, {}));
        isKnown = true;
      } catch (error) {
        if (error instanceof TimeLimitError) throw error;
        isKnown = !String(error).includes("unknown filter");
      }
      if (isKnown) this.#knownFilters.set(filter, true);
    }
    return isKnown;
  }

  /** An error that is not about the template leaves the engine in an unknown state: a new one follows. */
  #use<T>(limitMs: number, work: (environment: Environment) => T): T {
    const spent = stopwatch();
    for (let wallMs = limitMs; ; wallMs *= 2) {
      try {
        return this.#useOnce(wallMs, work);
      } catch (error) {
        // On a machine that is busy with other things the time goes by without much of it being ours.
        const isStarved = error instanceof TimeLimitError && spent() < limitMs * STARVED;
        if (!isStarved || wallMs >= limitMs * MOST_PATIENCE) throw error;
      }
    }
  }

  #useOnce<T>(limitMs: number, work: (environment: Environment) => T): T {
    const environment = this.#environment ?? this.#start();
    this.#environment = null;
    this.#refusal = null;
    try {
      const result = runWithin(limitMs, () => work(environment));
      this.#environment = environment;
      return result;
    } catch (error) {
      if (isAboutTemplate(error)) this.#environment = environment;
      throw error;
    }
  }

  #start(): Environment {
    const environment = this.#create();
    environment.debug = false;
    environment.undefinedBehavior = "chainable";
    environment.fuel = FUEL;
    environment.enablePyCompat();
    environment.removeGlobal("debug");
    const filters = templateFilters(() => systemClock.nowMicros());
    for (const [name, filter] of Object.entries(filters)) environment.addFilter(name, filter);
    environment.addGlobal("range", (...bounds: unknown[]) => {
      try {
        return range(bounds[0], bounds[1], bounds[2]);
      } catch (error) {
        this.#refusal = (error as Error).message;
        throw error;
      }
    });
    return environment;
  }

  #explain(error: unknown, source: string): TemplateProblem {
    const refusal = this.#refusal;
    return refusal === null ? { ...explain(error), source } : { line: 1, message: refusal, source };
  }
}

function range(first: unknown, second?: unknown, third?: unknown): number[] {
  const hasStart = typeof second === "number";
  const start = hasStart ? Number(first) : 0;
  const stop = hasStart ? second : Number(first);
  const step = typeof third === "number" ? third : 1;
  if (![start, stop, step].every(Number.isSafeInteger) || step === 0) {
    throw new Error("range takes whole numbers, and a step other than 0");
  }
  const length = Math.max(0, Math.ceil((stop - start) / step));
  if (length > MAX_RANGE) throw new Error(`range has more than ${MAX_RANGE} numbers`);
  return Array.from({ length }, (_, index) => start + index * step);
}

const PLACE = /\(in [^()\n]*:(\d+)\)/;
const TOO_SLOW = "the template takes too long to render";
const NO_TIME_LEFT = `${TOO_SLOW}, together with those before it`;

function isAboutTemplate(error: unknown): boolean {
  return error instanceof Error && PLACE.test(error.message);
}

function failed(source: string, message: string): Rendering & { readonly text: null } {
  return { text: null, problem: { line: 1, message, source } };
}

function explain(error: unknown): { readonly line: number; readonly message: string } {
  if (error instanceof TimeLimitError) return { line: 1, message: TOO_SLOW };
  const text = error instanceof Error ? error.message : String(error);
  const [first = ""] = text.split("\n");
  const place = PLACE.exec(first);
  if (place === null) return { line: 1, message: "the template takes too much memory to render" };
  const message = first.slice(0, place.index).trim();
  if (message.startsWith("engine ran out of fuel"))
    return { line: Number(place[1]), message: TOO_SLOW };
  return { line: Number(place[1]), message };
}
