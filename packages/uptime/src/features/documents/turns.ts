import { sleep } from "@orchestrator/kernel";

/** About how long others are kept waiting. */
const TURN_MS = 10;

/**
 * A long piece of work calls what this gives between its steps: now and then it waits while everything else that is to
 * be done has its turn.
 */
export function takingTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await sleep(0);
    since = performance.now();
  };
}
