interface Timed<Item> {
  readonly due: number;
  readonly item: Item;
}

/** Things and when they are due, the next one at hand: a binary heap. */
export class DueTimes<Item> {
  readonly #heap: Timed<Item>[] = [];

  add(due: number, item: Item): void {
    const heap = this.#heap;
    let at = heap.push({ due, item }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#dueAt(parent) <= this.#dueAt(at)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** The next one that is due before a moment, or at it; null when there is none. */
  takeBefore(moment: number, isInclusive: boolean): Timed<Item> | null {
    const first = this.#heap[0];
    if (first === undefined || first.due > moment || (!isInclusive && first.due === moment))
      return null;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const least = this.#dueAt(left + 1) < this.#dueAt(left) ? left + 1 : left;
      if (this.#dueAt(least) >= this.#dueAt(at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #dueAt(at: number): number {
    return this.#heap[at]?.due ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
