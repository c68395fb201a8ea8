/** A run that can be had: its id, and what the answer says of it as JSON. */
export interface DispatchedRun {
  readonly id: string;
  /** Since when it is there to be had as it is: with another one it is had anew. */
  readonly since: string;
  readonly json: string;
}

/** A run that was given to one is given to another when it has not been claimed by then. */
const HOLD_MS = 1000;

/** Which runs have been given to somebody a moment ago. */
export class DispatchedRuns {
  readonly #held = new Map<string, { readonly since: string; readonly until: number }>();

  hold(offers: readonly DispatchedRun[]): void {
    const now = performance.now();
    this.#forget(now);
    for (const { id, since } of offers) {
      this.#held.delete(id);
      this.#held.set(id, { since, until: now + HOLD_MS });
    }
  }

  /**
   * Those that nobody has been given. Who takes one holds it before anybody else looks, that is,
   * without awaiting anything.
   */
  free(offers: readonly DispatchedRun[]): readonly DispatchedRun[] {
    const now = performance.now();
    return offers.filter((offer) => this.#heldMs(offer, now) <= 0);
  }

  /** In how many milliseconds the next of these is free again; null when all are. */
  leftMs(offers: readonly DispatchedRun[]): number | null {
    const now = performance.now();
    const left = offers.map((offer) => this.#heldMs(offer, now)).filter((ms) => ms > 0);
    return left.length === 0 ? null : Math.ceil(Math.min(...left));
  }

  #heldMs({ id, since }: DispatchedRun, now: number): number {
    const held = this.#held.get(id);
    return held === undefined || held.since !== since ? 0 : held.until - now;
  }

  /** They were added in the order in which they end. */
  #forget(now: number): void {
    for (const [id, { until }] of this.#held) {
      if (until > now) return;
      this.#held.delete(id);
    }
  }
}
