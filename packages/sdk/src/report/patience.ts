import { NoServerError } from "../errors.ts";
import { nowMs, sleep } from "../time.ts";
import { nextDelayMs } from "./back-off.ts";
import { isWorthRetrying } from "./connection.ts";

export interface Patience {
  /** How long to go on asking a server that is away. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks until there is an answer. The request must be one that can be made twice. */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  { seconds, signal }: Patience,
): Promise<Answer> {
  const endsMs = nowMs() + seconds * 1000;
  for (let failures = 1; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      const delayMs = nextDelayMs(failures);
      if (nowMs() + delayMs > endsMs) {
        throw new NoServerError(`The server has not answered for ${seconds} s`, { cause: error });
      }
      await sleep(delayMs, signal);
    }
  }
}
