import { AppError, InvalidRequestError, type Problem } from "@orchestrator/kernel";

/** So many are told at once; the rest shows when those are mended. */
export const MOST_PROBLEMS = 100;

/** Which entry a problem is about. */
export function placed({ loc, msg, ...problem }: Problem, index: number, name: string): Problem {
  const [part = "body", ...rest] = loc;
  return { ...problem, loc: [part, "monitors", index, ...rest], msg: `${msg} (monitor '${name}')` };
}

/** Throws where a name stands twice. */
export function refuseTwins(names: readonly string[]): void {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) {
      const msg = `Value error, the name '${name}' stands in the document twice`;
      problems.push({ type: "value_error", loc: ["body", "monitors", index, "name"], msg });
    }
    seen.add(name);
  }
  if (problems.length > 0) throw new InvalidRequestError(problems.slice(0, MOST_PROBLEMS));
}

export function ambiguous(name: string): AppError {
  return new AppError(
    "conflict",
    `Several monitors are named '${name}', and a document finds a monitor by its name: rename all but one`,
  );
}
