// The event loop hands over everything that has arrived at once. Without a bound on what begins in
// one turn, a probe of a supervisor waits behind thousands of requests.

/** Long enough for what arrives on an ordinary day, short enough that nobody notices the wait. */
const SLICE_MS = 10;
/**
 * Slots of work that has begun are dropped once there are so many, and more than of work that
 * waits.
 */
const COMPACT_AT = 1024;

/** Starts work in the order in which it came, for so long in each turn of the event loop. */
export class LoopTurnScheduler {
  #waiting: ((() => void) | undefined)[] = [];
  #next = 0;
  #endsAt = 0;
  #isOpen = false;
  readonly #now: () => number;
  readonly #afterThisTurn: (work: () => void) => unknown;
  readonly #sliceMs: number;

  /** With a slice of 0, one begins in each turn. */
  constructor(
    now: () => number = () => performance.now(),
    afterThisTurn: (work: () => void) => unknown = setImmediate,
    sliceMs = SLICE_MS,
  ) {
    this.#now = now;
    this.#afterThisTurn = afterThisTurn;
    this.#sliceMs = sliceMs;
  }

  /** For work of which one piece takes as long as a turn may. */
  static oneByOne(afterThisTurn: (work: () => void) => unknown): LoopTurnScheduler {
    return new LoopTurnScheduler(undefined, afterThisTurn, 0);
  }

  /** Whether something may begin in this turn: nothing waits, and there is time. */
  get hasTime(): boolean {
    if (!this.#isOpen) {
      this.#open();
      return true;
    }
    return this.#next === this.#waiting.length && this.#now() < this.#endsAt;
  }

  /** Slots in memory, of which at most about half belong to work that has begun. */
  get size(): number {
    return this.#waiting.length;
  }

  run(work: () => void): void {
    if (this.hasTime) work();
    else this.#waiting.push(work);
  }

  #open(): void {
    this.#isOpen = true;
    this.#endsAt = this.#now() + this.#sliceMs;
    this.#afterThisTurn(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isOpen = false;
    if (this.#next === this.#waiting.length) return;
    this.#open();
    do {
      const work = this.#waiting[this.#next];
      // A queue that is never empty would otherwise keep all that ever waited, bodies included.
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
      work?.();
    } while (this.#next < this.#waiting.length && this.#now() < this.#endsAt);
    this.#compact();
  };

  #compact(): void {
    const isEmpty = this.#next === this.#waiting.length;
    if (!isEmpty && this.#next < Math.max(COMPACT_AT, this.#waiting.length / 2)) return;
    this.#waiting = isEmpty ? [] : this.#waiting.slice(this.#next);
    this.#next = 0;
  }
}
