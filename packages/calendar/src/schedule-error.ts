/** A schedule that cannot be understood; the message is one sentence for its author. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}

export type Parsed<T> =
  | { readonly value: T; readonly problem: null }
  | { readonly value: null; readonly problem: string };

export function refuse(problem: string): never {
  throw new ScheduleError(problem);
}

/** Turns a refusal inside `parse` into a value. */
export function parsedOrError<T>(parse: () => T): Parsed<T> {
  try {
    return { value: parse(), problem: null };
  } catch (error) {
    if (error instanceof ScheduleError) return { value: null, problem: error.message };
    throw error;
  }
}

const LONGEST_QUOTE = 60;

export function quoteShortened(text: string): string {
  const isLong = text.length > LONGEST_QUOTE;
  return JSON.stringify(isLong ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
