import { readFileSync, readlinkSync } from "node:fs";

/**
 * What Linux calls the thread that asks, so that another one can read its CPU time; null elsewhere.
 */
export function threadName(): string | null {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/**
 * Reads the milliseconds of CPU time of a thread. Linux knows them, so a job is charged for what it
 * used itself, whatever runs beside it: nothing has to be divided or run again. Elsewhere the time
 * of the whole process stands in, the most that the thread can have used.
 */
export function threadCpu(name: string | null): () => number {
  const read = (): number => Number.parseInt(readFileSync(`/proc/${name}/schedstat`, "utf8"), 10);
  try {
    // Kernels that do not account for threads say 0.
    if (name !== null && read() > 0) return () => read() / 1_000_000;
  } catch {
    // Not Linux, or a sandbox.
  }
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
}
