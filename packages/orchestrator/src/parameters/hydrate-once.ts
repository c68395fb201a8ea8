// One walk through a value, in the event loop or on a thread.

import { isWellFormed, type JsonMap, mapMembers, readJson } from "@orchestrator/exact-json";
import type { RenderBudget, TemplateContext } from "@orchestrator/jinja";
import type { JsonPath, ValueProblem } from "@orchestrator/json-schema/problems";
import { templates } from "../templates/engine.ts";
import { readPlaceholder } from "./placeholders.ts";

export const MAX_DEPTH = 200;
const MAX_PROBLEMS = 100;
const MAX_VARIABLES = 1000;

export interface Hydration {
  /** The value without placeholders; not to be used while there are problems. */
  readonly value: unknown;
  readonly problems: readonly ValueProblem[];
  /**
   * Where templates and variables were left as they are: no schema can say yet whether the values
   * there fit.
   */
  readonly unrendered: readonly JsonPath[];
}

export interface HydrationValues {
  readonly variables: ReadonlyMap<string, unknown> | null;
  /** Null leaves templates as they are: only their syntax is checked. */
  readonly context: TemplateContext | null;
  /** Shared by all templates of the value. */
  readonly budget: RenderBudget;
}

/** What came of one walk. */
export interface PassResult extends Hydration {
  /** The variables that the value names. */
  readonly names: ReadonlySet<string>;
}

export function hydrateOnce(value: unknown, known: HydrationValues): PassResult {
  const pass = new Pass(known);
  const hydrated = pass.hydrate(value);
  const { problems, unrendered, names } = pass;
  return { value: hydrated, problems, unrendered, names };
}

/** One walk through the value with what is known so far; it notes what it would have to know. */
class Pass {
  readonly names = new Set<string>();
  readonly problems: ValueProblem[] = [];
  readonly unrendered: JsonPath[] = [];
  readonly #known: HydrationValues;
  readonly #path: (string | number)[] = [];
  #depth = 0;

  constructor(known: HydrationValues) {
    this.#known = known;
  }

  /** Undefined where there is no value: the key or the item is then left out. */
  hydrate(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (this.#depth >= MAX_DEPTH) return this.#refuse(`is nested more than ${MAX_DEPTH} deep`);
    this.#depth += 1;
    const hydrated = this.#hydrateObject(value);
    this.#depth -= 1;
    return hydrated;
  }

  #hydrateObject(value: object): unknown {
    const placeholder = readPlaceholder(value);
    if (placeholder !== null) {
      const { kind, fields } = placeholder;
      if (kind === "json") return this.#json(fields);
      if (kind === "jinja") return this.#jinja(fields);
      if (kind === "workspace_variable") return this.#variable(fields);
      if (kind === "none") return this.hydrate(fields["value"]);
      return this.hydrate(fields["value"] ?? null);
    }
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.#member(index, item));
      if (items.every((item, index) => item === value[index])) return value;
      return items.filter((item) => item !== undefined);
    }
    return mapMembers(value as JsonMap, (member, name) => {
      if (name !== "__proto__") return this.#member(name, member);
      this.#refuse("the name __proto__ is not allowed");
      return undefined;
    });
  }

  #member(name: string | number, value: unknown): unknown {
    this.#path.push(name);
    const hydrated = this.hydrate(value);
    this.#path.pop();
    return hydrated;
  }

  /**
   * The value a placeholder needs, which may be one itself. What is wrong within is said only once.
   */
  #within(value: unknown): { readonly value: unknown; readonly isKnown: boolean } {
    const noted = this.problems.length + this.unrendered.length;
    const hydrated = this.hydrate(value);
    const isKnown =
      hydrated !== undefined && this.problems.length + this.unrendered.length === noted;
    return { value: hydrated, isKnown };
  }

  #json(fields: JsonMap): unknown {
    const { value: text, isKnown } = this.#within(fields["value"]);
    if (!isKnown) return text;
    // What is no text has been read already, as that of a client that sends the value itself.
    if (typeof text !== "string") return text;
    let value: unknown;
    try {
      value = readJson(text);
    } catch (error) {
      return this.#refuse(`is not JSON: ${(error as Error).message.slice(0, 200)}`);
    }
    const fault = findFault(value, MAX_DEPTH - this.#depth);
    return fault === null ? value : this.#refuse(fault);
  }

  #jinja(fields: JsonMap): unknown {
    const { value: template, isKnown } = this.#within(fields["template"]);
    if (!isKnown) return template;
    if (typeof template !== "string") return this.#refuse("has a template that is not a text");
    const { context, budget } = this.#known;
    // Nobody will hear of a further problem, and the value is not used anyway.
    if (this.problems.length >= MAX_PROBLEMS) return null;
    if (context === null) {
      const problem = templates.check(template, budget);
      if (problem === null) return this.#unknown(template);
      return this.#refuse(`line ${problem.line} of the template: ${problem.message}`);
    }
    const { text, problem } = templates.render(template, context, budget);
    const fault = problem === null ? findTextFault(text) : null;
    if (fault !== null) return this.#refuse(fault);
    if (problem === null) return text;
    return this.#refuse(`line ${problem.line} of the template: ${problem.message}`);
  }

  #variable(fields: JsonMap): unknown {
    const { value: name, isKnown } = this.#within(fields["variable_name"]);
    if (!isKnown) return name;
    if (typeof name !== "string")
      return this.#refuse("names a variable by something that is no text");
    const { variables } = this.#known;
    if (variables === null) return this.#unknown(fields);
    if (variables.has(name)) return variables.get(name);
    if (this.names.size >= MAX_VARIABLES && !this.names.has(name)) {
      return this.#refuse(`more than ${MAX_VARIABLES} variables are named`);
    }
    this.names.add(name);
    return this.#refuse(`there is no variable named ${JSON.stringify(name.slice(0, 255))}`);
  }

  #unknown<T>(value: T): T {
    this.unrendered.push([...this.#path]);
    return value;
  }

  /** Null keeps the place, so that the paths of what follows stay right. */
  #refuse(message: string): null {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path: [...this.#path], message });
    return null;
  }
}

/** JSON within a text has not passed the checks that the request itself has. */
function findFault(value: unknown, depth: number): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : "holds a number too large";
  if (typeof value === "string") return findTextFault(value);
  if (typeof value !== "object" || value === null) return null;
  if (depth <= 0) return `is nested more than ${MAX_DEPTH} deep`;
  if (Object.hasOwn(value, "__proto__")) return "the name __proto__ is not allowed";
  for (const [name, member] of Object.entries(value)) {
    const fault = findTextFault(name) ?? findFault(member, depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}

function findTextFault(text: string): string | null {
  if (text.includes("\0")) return "holds the character NUL, which cannot be stored";
  return isWellFormed(text) ? null : "holds half a character (a lone surrogate)";
}
