/** One entry of the list that tells a caller what is wrong with a request. */
export interface RequestProblem {
  readonly type: string;
  /** Where: the part of the request first, then property names and positions. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/**
 * The request cannot be understood, or breaks a rule no schema can state. Answered with the list of
 * problems.
 */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly problems: readonly RequestProblem[];

  constructor(problems: readonly RequestProblem[], options?: ErrorOptions) {
    super("The request is invalid", options);
    this.problems = problems;
  }
}

/** The body is not JSON this server accepts. Each API has its own status for that. */
export class MalformedJsonError extends InvalidRequestError {}

export function malformedJson(position: number | undefined, error: string): MalformedJsonError {
  const loc = position === undefined ? ["body"] : ["body", position];
  return new MalformedJsonError([
    { type: "json_invalid", loc, msg: "JSON decode error", input: {}, ctx: { error } },
  ]);
}
