/** Entries of one caller. */
interface Line<T> {
  running: number;
  readonly waiting: T[];
}

export interface QueueLimits {
  /** Entries of one caller that run at the same time. */
  readonly runningPerCaller: number;
  readonly waitingPerCaller: number;
  readonly waiting: number;
}

/**
 * Round robin: callers take turns, so a caller with many entries delays others by one entry, not by
 * all of them.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line<T>>();
  #waiting = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting;
  }

  /**
   * False when the queue is full, for this caller or for all. `reserved` places are beyond those
   * for all.
   */
  add(caller: string, entry: T, reserved = 0): boolean {
    const line = this.#lines.get(caller) ?? { running: 0, waiting: [] };
    const { waiting, waitingPerCaller } = this.#limits;
    if (this.#waiting >= waiting + reserved || line.waiting.length >= waitingPerCaller)
      return false;
    line.waiting.push(entry);
    this.#lines.set(caller, line);
    this.#waiting += 1;
    return true;
  }

  /**
   * The next entry, which runs until `release`; undefined when every caller that waits runs as many
   * as it may.
   */
  take(): T | undefined {
    for (const [caller, line] of this.#lines) {
      if (line.running >= this.#limits.runningPerCaller) continue;
      const entry = line.waiting.shift();
      if (entry === undefined) continue;
      line.running += 1;
      this.#waiting -= 1;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      return entry;
    }
    return undefined;
  }

  release(caller: string): void {
    const line = this.#lines.get(caller);
    if (line === undefined) return;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(caller);
  }

  /** Takes out everything that waits. */
  clear(): T[] {
    const entries = [...this.#lines.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#waiting = 0;
    return entries;
  }
}
