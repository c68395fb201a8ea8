import { setPriority } from "node:os";

/** A tenth of the processor time of the event loop where both want all of it. */
const NICE = 10;

/**
 * Lets the scheduler prefer the event loop to this thread: what callers supply would otherwise keep
 * every request waiting on a machine with few cores. Only Linux gives a thread its own priority.
 */
export function yieldToEventLoop(thread: string | null): void {
  const id = Number(thread?.split("/").at(-1));
  if (!Number.isInteger(id) || id <= 0 || id === process.pid) return;
  try {
    setPriority(id, NICE);
  } catch {
    // A sandbox that forbids it loses nothing but the preference.
  }
}
