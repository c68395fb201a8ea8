interface Due {
  readonly id: string;
  readonly at: number;
}

/**
 * Who is due when: one structure for all monitors, where one timer each would cost thousands. A new
 * time replaces the old.
 */
export class DueHeap {
  #heap: Due[] = [];
  readonly #current = new Map<string, number>();

  get size(): number {
    return this.#current.size;
  }

  /** The earliest time; null when nobody is due at all. */
  get nextAt(): number | null {
    return this.#first()?.at ?? null;
  }

  set(id: string, at: number): void {
    if (this.#current.get(id) === at) return;
    this.#current.set(id, at);
    this.#heap.push({ id, at });
    this.#rise(this.#heap.length - 1);
    // What was replaced stays until its time comes; when it is the most by far, it is thrown out.
    if (this.#heap.length > 64 && this.#heap.length > 4 * this.#current.size) this.#rebuild();
  }

  remove(id: string): void {
    this.#current.delete(id);
  }

  clear(): void {
    this.#current.clear();
    this.#heap = [];
  }

  /** Takes out the first whose time has come. */
  takeDue(now: number): { readonly id: string; readonly at: number } | null {
    const first = this.#first();
    if (first === null || first.at > now) return null;
    this.#pop();
    this.#current.delete(first.id);
    return first;
  }

  #first(): Due | null {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined) return null;
      if (this.#current.get(first.id) === first.at) return first;
      this.#pop();
    }
  }

  #rebuild(): void {
    this.#heap = [...this.#current].map(([id, at]) => ({ id, at })).sort((a, b) => a.at - b.at);
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(index) <= this.#at(smaller)) return;
      this.#swap(index, smaller);
      index = smaller;
    }
  }
}
