import type { DocumentSection } from "@orchestrator/contract";
import { InvalidRequestError, type RequestProblem } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";

/** So many are told at once; the rest shows when those are mended. */
const MOST_PROBLEMS = 100;

const NOUNS: Readonly<Record<DocumentSection, string>> = {
  monitors: "monitor",
  maintenance: "maintenance",
  status_pages: "status page",
};

/** Gathers what is wrong with the entries of a section, each with its place. */
export class ImportProblems {
  readonly #section: DocumentSection;
  readonly #found: RequestProblem[] = [];

  constructor(section: DocumentSection) {
    this.#section = section;
  }

  /** The problems of an entry, by its place and its name. */
  add(problems: readonly RequestProblem[], index: number, name: string): void {
    for (const { loc, msg, ...problem } of problems) {
      const [part = "body", ...rest] = loc;
      this.#found.push({
        ...problem,
        loc: [part, this.#section, index, ...rest.map(inFiles)],
        msg: `${inFiles(msg)} (${NOUNS[this.#section]} '${name}')`,
      });
    }
  }

  /** What comes of an entry; null when there is something wrong with it, which is noted. */
  trying<T>(work: () => T, index: number, name: string): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      this.add(error.problems, index, name);
      return null;
    }
  }

  /** Throws if there are any. */
  assertNone(): void {
    if (this.#found.length > 0) throw new InvalidRequestError(this.#found.slice(0, MOST_PROBLEMS));
  }
}

/** Where the API has ids a file has names. */
const inFiles = <T>(text: T): T =>
  typeof text === "string" ? (text.replaceAll("monitor_ids", "monitors") as T) : text;

/** Throws where a name, or whatever tells entries apart, stands twice. */
export function refuseTwins(section: DocumentSection, key: string, names: readonly string[]): void {
  const seen = new Set<string>();
  const problems: RequestProblem[] = [];
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) {
      const msg = `Value error, the ${key} '${name}' stands in the document twice`;
      problems.push({ type: "value_error", loc: ["body", section, index, key], msg });
    }
    seen.add(name);
  }
  if (problems.length > 0) throw new InvalidRequestError(problems.slice(0, MOST_PROBLEMS));
}

export function ambiguous(section: DocumentSection, name: string): AppError {
  const noun = section === "maintenance" ? "maintenance window" : NOUNS[section];
  return new AppError(
    "conflict",
    `Several ${noun}s are named '${name}', and a document finds a ${noun} by its name: rename all but one`,
  );
}

export function tooMany(section: DocumentSection, most: number): AppError {
  const noun = section === "maintenance" ? "maintenance window" : NOUNS[section];
  return new AppError("conflict", `There would be more than ${most} ${noun}s`);
}
