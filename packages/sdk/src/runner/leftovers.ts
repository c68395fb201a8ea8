// What a run leaves behind in its process: timers, sockets and servers that keep it alive.

import { sleepOrAbort } from "../time.ts";

/** Sockets that are being closed take a moment. */
const LOOKS = 20;
const LOOK_MS = 5;

type Counts = ReadonlyMap<string, number>;

/** By kind, as Node names them. */
export function activeResources(): Counts {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Whether more is active than before the run, also after a moment. */
export async function hasLeftovers(before: Counts): Promise<boolean> {
  for (let look = 0; isMore(activeResources(), before); look += 1) {
    if (look === LOOKS) return true;
    await sleepOrAbort(LOOK_MS);
  }
  return false;
}

const isMore = (now: Counts, before: Counts): boolean =>
  [...now].some(([kind, count]) => count > (before.get(kind) ?? 0));
