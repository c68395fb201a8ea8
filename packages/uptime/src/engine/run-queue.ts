/** How much may be under way. */
export interface RunLimits {
  readonly total: number;
  readonly perHost: number;
}

interface Job {
  readonly host: string;
  readonly start: () => void;
}

interface Host {
  running: number;
  /** A set keeps the order, and the first of it is taken out at no cost. */
  readonly waiting: Set<Job>;
}

/**
 * Work with bounds: so much at once, and so much of it on one host. Who waits for a busy host keeps nobody else
 * waiting; otherwise it is first come, first served.
 */
export class RunQueue {
  readonly #limits: RunLimits;
  readonly #hosts = new Map<string, Host>();
  readonly #ready = new Set<Job>();
  #running = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    let waiting = this.#ready.size;
    for (const host of this.#hosts.values()) waiting += host.waiting.size;
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
      else this.#host(job.host).waiting.add(job);
    }
  }

  /** Whether there is room for one more on the host; it is taken then. */
  #begin(name: string): boolean {
    const host = this.#host(name);
    if (this.#running >= this.#limits.total || host.running >= this.#limits.perHost) return false;
    host.running += 1;
    this.#running += 1;
    return true;
  }

  #end(name: string): void {
    const host = this.#host(name);
    host.running -= 1;
    this.#running -= 1;
    const [next] = host.waiting;
    if (next !== undefined) {
      host.waiting.delete(next);
      this.#ready.add(next);
    } else if (host.running === 0) this.#hosts.delete(name);
    this.#startSome();
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name) ?? { running: 0, waiting: new Set<Job>() };
    this.#hosts.set(name, known);
    return known;
  }
}
