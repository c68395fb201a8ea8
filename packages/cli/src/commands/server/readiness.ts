import { isApiError } from "../../io/passing.ts";

/** Somebody waits for the answer, and a server that is there gives it at once. */
export const READINESS_CALL = { retries: 0, timeoutMs: 5000 };
const UNREADY = 503;

/** What a server says of itself. */
export interface ReadinessReport {
  readonly message?: string;
  readonly loops?: Readonly<Record<string, LoopFacts>>;
}

interface LoopFacts {
  readonly status: string;
  readonly passes: number;
  readonly failuresInARow: number;
  readonly lastError: string | null;
  readonly secondsSinceLastPass: number | null;
}

export const loopsOf = ({
  loops = {},
}: ReadinessReport): (LoopFacts & { readonly name: string })[] =>
  Object.entries(loops).map(([name, facts]) => ({ name, ...facts }));

/** The refusal says as much as the answer would. */
export function unready(error: unknown): ReadinessReport {
  if (isApiError(error) && error.status === UNREADY) return error.body as ReadinessReport;
  throw error;
}
