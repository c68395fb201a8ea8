/** So many at once; the others wait in their order. */
export class TaskPool {
  readonly #size: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    if (!(size >= 1)) throw new RangeError(`At least one must be able to run, not ${size}`);
    this.#size = size;
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#size) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
