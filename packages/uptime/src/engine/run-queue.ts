/** How much may be under way. */
export interface RunQueueLimits {
  readonly total: number;
  readonly perHost: number;
}

interface Job {
  readonly host: string;
  readonly start: () => void;
}

interface Host {
  running: number;
  /**
   * A set keeps the order, and the first of it is taken out at no cost. Most hosts never need one.
   */
  waiting: Set<Job> | null;
}

const NOBODY: readonly Job[] = [];

/**
 * Work with bounds: so much at once, and so much of it on one host. Who waits for a busy host keeps
 * nobody else waiting; otherwise it is first come, first served.
 */
export class RunQueue {
  readonly #limits: RunQueueLimits;
  readonly #hosts = new Map<string, Host>();
  readonly #ready = new Set<Job>();
  #running = 0;

  constructor(limits: RunQueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    let waiting = this.#ready.size;
    for (const host of this.#hosts.values()) waiting += host.waiting?.size ?? 0;
    return waiting;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const isFirst = this.#ready.size === 0;
    if (!isFirst || !this.#begin(name))
      await new Promise<void>((resolve) => {
        this.#ready.add({ host: name, start: resolve });
        this.#startSome();
      });
    try {
      return await work();
    } finally {
      this.#end(name);
    }
  }

  #startSome(): void {
    for (const job of this.#ready) {
      if (this.#running >= this.#limits.total) return;
      this.#ready.delete(job);
      if (this.#begin(job.host)) job.start();
      else this.#wait(job);
    }
  }

  /** Whether there is room for one more on the host; it is taken then. */
  #begin(name: string): boolean {
    if (this.#running >= this.#limits.total) return false;
    const host = this.#hosts.get(name);
    if (host === undefined) this.#hosts.set(name, { running: 1, waiting: null });
    else if (host.running >= this.#limits.perHost) return false;
    else host.running += 1;
    this.#running += 1;
    return true;
  }

  #end(name: string): void {
    this.#running -= 1;
    const host = this.#hosts.get(name);
    if (host !== undefined) this.#free(name, host);
    if (this.#ready.size > 0) this.#startSome();
  }

  /** A place on the host for whoever waits for one. */
  #free(name: string, host: Host): void {
    host.running -= 1;
    const [next] = host.waiting ?? NOBODY;
    if (next !== undefined) {
      host.waiting?.delete(next);
      this.#ready.add(next);
    } else if (host.running === 0) this.#hosts.delete(name);
  }

  /** For a place on a busy host. */
  #wait(job: Job): void {
    const host = this.#hosts.get(job.host) ?? { running: 0, waiting: null };
    host.waiting ??= new Set();
    host.waiting.add(job);
    this.#hosts.set(job.host, host);
  }
}

/** Work with one bound: so much at once, first come, first served. */
export class ConcurrencyLimiter {
  readonly #queue: RunQueue;

  constructor(most: number) {
    this.#queue = new RunQueue({ total: most, perHost: most });
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run("", work);
  }
}
