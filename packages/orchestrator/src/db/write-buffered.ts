import { isAppError } from "@orchestrator/kernel/pure";

interface Writing<T> {
  readonly write: (workspaceId: string, remembered: T) => Promise<unknown>;
  /** Remembers once more what could not be written down. */
  readonly giveBack: (workspaceId: string, remembered: T) => void;
}

/**
 * Writes down what was remembered of each workspace. One that fails keeps no other from its turn,
 * but a database that is away is asked once: each workspace would wait as long for it. Nothing else
 * ends a pass, not even that the server stops: what is given back then is lost.
 */
export async function writeBuffered<T>(
  remembered: ReadonlyMap<string, T>,
  { write, giveBack }: Writing<T>,
): Promise<void> {
  const left = new Map(remembered);
  const failures: unknown[] = [];
  for (const [workspaceId, some] of remembered) {
    left.delete(workspaceId);
    try {
      await write(workspaceId, some);
    } catch (error) {
      // Behind the others: where it alone always fails so, they have their turn before it.
      left.set(workspaceId, some);
      failures.push(error);
      if (isAppError(error, "unavailable")) break;
    }
  }
  for (const [workspaceId, some] of left) giveBack(workspaceId, some);
  if (failures.length > 0) throw failures[0];
}
