import { NoServerError } from "../errors.ts";
import { nowMs, sleepOrAbort } from "../time.ts";
import { nextDelayMs } from "./back-off.ts";
import { isTransientError } from "./connection.ts";

export interface RetryBudget {
  /** How long to go on asking a server that is away. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks until there is an answer. The request must be one that can be made twice. */
export async function retryUntilAnswered<Answer>(
  ask: () => Promise<Answer>,
  { seconds, signal }: RetryBudget,
): Promise<Answer> {
  const endsMs = nowMs() + seconds * 1000;
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      const delayMs = nextDelayMs(failures);
      if (nowMs() + delayMs > endsMs) {
        throw new NoServerError(`The server has not answered for ${seconds} s`, { cause: error });
      }
      await sleepOrAbort(delayMs, signal);
    }
  }
}
