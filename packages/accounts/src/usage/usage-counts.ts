import { randomUUID } from "node:crypto";
import type { Clock } from "@orchestrator/kernel/pure";

/** What is counted of a workspace. */
export interface Amounts {
  runs: number;
  events: number;
}

/**
 * What this process has made in each workspace. It is counted when a transaction has been committed
 * and written down every few seconds, in rows of this process's own: nobody waits for anybody's
 * counter.
 */
export class UsageCounts {
  /** Names the rows of this process. */
  readonly counter: string = randomUUID();
  readonly #clock: Clock;
  /** All of today, written down or not. */
  #own = new Map<string, Amounts>();
  #day = "";
  /** What is not written down yet, by day, then by workspace. */
  #pending = new Map<string, Map<string, Amounts>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get today(): string {
    return this.#clock.now().slice(0, 10);
  }

  add(workspaceId: string, amounts: Readonly<Amounts>): void {
    const { today } = this;
    if (this.#day !== today) this.#own = new Map();
    this.#day = today;
    const day = this.#pending.get(today) ?? new Map<string, Amounts>();
    this.#pending.set(today, day);
    addTo(day, workspaceId, amounts);
    addTo(this.#own, workspaceId, amounts);
  }

  /** What this process has made today. */
  ownOf(workspaceId: string): Readonly<Amounts> {
    const own = this.#day === this.today ? this.#own.get(workspaceId) : undefined;
    return own ?? { runs: 0, events: 0 };
  }

  /** Hands over what is to be written down; `giveBack` is for when that failed. */
  take(): ReadonlyMap<string, ReadonlyMap<string, Readonly<Amounts>>> {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }

  giveBack(taken: ReadonlyMap<string, ReadonlyMap<string, Readonly<Amounts>>>): void {
    for (const [day, workspaces] of taken) {
      const known = this.#pending.get(day) ?? new Map<string, Amounts>();
      this.#pending.set(day, known);
      for (const [id, amounts] of workspaces) addTo(known, id, amounts);
    }
  }
}

function addTo(
  amounts: Map<string, Amounts>,
  workspaceId: string,
  { runs, events }: Readonly<Amounts>,
): void {
  const known = amounts.get(workspaceId);
  if (known === undefined) amounts.set(workspaceId, { runs, events });
  else {
    known.runs += runs;
    known.events += events;
  }
}
