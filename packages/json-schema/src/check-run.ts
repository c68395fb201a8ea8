import type { JsonMap } from "@orchestrator/exact-json";
import type { Pattern } from "./patterns.ts";
import type { ValueProblem } from "./value-problem.ts";

/** Which keyword of which schema refused which value: what a sentence in other words is made of. */
export interface Violation {
  readonly keyword: string;
  readonly schema: JsonMap;
  readonly given: unknown;
  /** A value that may be left out, so that null would have been fine. */
  readonly isOptional?: boolean;
  /** About the name of a member, not about its value. */
  readonly isOfName?: boolean;
}

/** Why a value does not fit, with what is needed to choose between the branches of a union. */
export interface FoundProblem extends ValueProblem {
  /** Only where the run keeps violations. */
  readonly violation?: Violation | undefined;
  /** What was wrong with each branch of a union, where the run keeps violations. */
  readonly branches?: readonly FoundProblem[];
  /** The types that would have been right, where the type was wrong. */
  readonly types?: readonly string[];
  /** How far the value is from what this place wants. @default 1 */
  readonly distance?: number;
}

/** Says whether the value fits, and tells the run what is wrong with it. */
export type SchemaCheck = (value: unknown, run: ValidationRun) => boolean;

/** What was looked at by some keyword, for the keywords about everything else. */
export interface Seen {
  readonly names: Set<string>;
  readonly indexes: Set<number>;
}

export class OutOfBounds extends Error {}
/** Thrown in the event loop where a validation is not cheap. */
class CostlyValidation extends Error {
  readonly needsThread = true;
}
class Enough extends Error {}

const MAX_STEPS = 2_000_000;
/** About a millisecond: what the event loop may spend on one validation. */
const MAX_INLINE_STEPS = 20_000;
const MAX_DEPTH = 500;
const MAX_PROBLEMS = 100;

/** One validation of one value: where it stands, what it found and how much it may still do. */
export class ValidationRun {
  readonly path: (string | number)[] = [];
  seen: Seen | null = null;
  /**
   * Whether problems say which keyword refused which value, and unions what was wrong with each
   * branch.
   */
  readonly keepsViolations: boolean;
  readonly #isInline: boolean;
  readonly #found: FoundProblem[] = [];
  #sink = this.#found;
  #steps: number;
  #depth = 0;

  /** Inline, the run ends with `CostlyValidation` as soon as it is not cheap. */
  constructor({
    isInline,
    keepsViolations = false,
  }: {
    readonly isInline: boolean;
    readonly keepsViolations?: boolean;
  }) {
    this.#isInline = isInline;
    this.keepsViolations = keepsViolations;
    this.#steps = isInline ? MAX_INLINE_STEPS : MAX_STEPS;
  }

  /** Every problem, up to a bound; after that nobody reads them. */
  collect(check: SchemaCheck, value: unknown): readonly FoundProblem[] {
    try {
      check(value, this);
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
    }
    return this.#found;
  }

  /** Work that is paid for, so that a small schema cannot ask for endless work on a small value. */
  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps >= 0) return;
    throw this.#isInline ? new CostlyValidation() : new OutOfBounds("takes too much work to check");
  }

  /**
   * Said before work whose cost steps cannot foresee: patterns, and whole values that are compared.
   */
  needThread(): void {
    if (this.#isInline) throw new CostlyValidation();
  }

  enter(): void {
    this.spend(1);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new OutOfBounds("is nested too deeply");
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Always false, so that a check can end with it. */
  fail(message: string, details: Partial<Omit<FoundProblem, "message">> = {}): false {
    this.spend(1);
    if (this.#sink.length >= MAX_PROBLEMS) {
      if (this.#sink === this.#found) throw new Enough();
      return false;
    }
    this.#sink.push({ path: [...this.path], message, ...details });
    return false;
  }

  /** How many problems were found so far; `attribute` says what is behind those that follow. */
  get found(): number {
    return this.#sink.length;
  }

  attribute(since: number, change: (problem: FoundProblem) => FoundProblem): void {
    if (!this.keepsViolations) return;
    for (let index = since; index < this.#sink.length; index += 1) {
      const problem = this.#sink[index];
      if (problem !== undefined) this.#sink[index] = change(problem);
    }
  }

  /** The problem belongs to a member, which may not exist. */
  failAt(name: string | number, message: string, distance?: number): false {
    const path = [...this.path, name];
    return this.fail(message, distance === undefined ? { path } : { path, distance });
  }

  /** Checks a member of the value; what it sees does not count for the value itself. */
  member(name: string | number, value: unknown, check: SchemaCheck): boolean {
    this.spend(1);
    const seen = this.seen;
    this.seen = null;
    this.path.push(name);
    const fits = check(value, this);
    this.path.pop();
    this.seen = seen;
    return fits;
  }

  /** Checks without telling: the problems are handed to the caller. */
  aside(check: () => boolean): { readonly fits: boolean; readonly problems: FoundProblem[] } {
    const sink = this.#sink;
    const problems: FoundProblem[] = [];
    this.#sink = problems;
    const fits = check();
    this.#sink = sink;
    return { fits, problems };
  }

  tell(problems: readonly FoundProblem[]): false {
    for (const { message, ...details } of problems) this.fail(message, details);
    return false;
  }

  matches(pattern: Pattern, text: string): boolean {
    this.needThread();
    this.spend(1 + text.length / 100);
    try {
      return pattern.test(text);
    } catch (error) {
      // Only now does the engine find that the expression is too large for it.
      if (error instanceof SyntaxError) throw new OutOfBounds("has a pattern that is too large");
      throw error;
    }
  }
}
