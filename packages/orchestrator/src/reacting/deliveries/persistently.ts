import { sleep } from "@orchestrator/kernel/pure";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 12_800;

/**
 * Writes what became of a message that somebody has by now: were it not written because the
 * database was away for a moment, the message would be sent again. Gives up long before others may
 * take it over.
 */
export async function persistently<T>(write: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const isLast = wait > LONGEST_WAIT_MS || stopping.aborted;
    try {
      return await write();
    } catch (error) {
      if (isLast) throw error;
    }
    await sleep(wait, stopping);
  }
}
