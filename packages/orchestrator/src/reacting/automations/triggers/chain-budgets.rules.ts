// Budget of a chain: automations that listen to each other share one number of firings for each
// event from outside, or its events would multiply with the automations that listen.

import { type Chain, MOST_IN_CHAIN } from "../../firings/chain.rules.ts";
import type { TriggerEvent } from "./trigger-event.rules.ts";

/** Firings that go back to one event from outside. */
interface ChainFirings {
  readonly workspaceId: string;
  readonly root: string;
  /** Those that answered the event itself. */
  readonly direct: number;
  /** Those that answered what automations did, and one more once a firing was refused. */
  readonly caused: number;
}

type ChainedEvent = Pick<TriggerEvent, "id" | "workspaceId" | "chain">;
type Counts = Pick<ChainFirings, "direct" | "caused">;

const NONE: Counts = { direct: 0, caused: 0 };

const budgetOf = ({ direct }: Counts): number => MOST_IN_CHAIN * Math.max(1, direct);

const keyOf = (workspaceId: string, root: string): string => `${workspaceId} ${root}`;

/** The budgets that a pass needs: loaded before it, counted by it, written after it. */
export class ChainBudgets {
  readonly #stored = new Map<string, Counts>();
  readonly #added = new Map<string, ChainFirings>();

  load({ workspaceId, root, direct, caused }: ChainFirings): void {
    this.#stored.set(keyOf(workspaceId, root), { direct, caused });
  }

  /** Whether a firing was refused in an earlier pass, which has recorded why. */
  isExhausted({ workspaceId, chain }: ChainedEvent): boolean {
    if (chain === null) return false;
    const stored = this.#stored.get(keyOf(workspaceId, chain.root)) ?? NONE;
    return stored.caused > budgetOf(stored);
  }

  /** Whether the budget leaves no room for what an event would do. */
  refuses({ workspaceId, chain }: ChainedEvent): boolean {
    if (chain === null) return false;
    const counts = this.#counts(workspaceId, chain);
    const budget = budgetOf(counts);
    if (counts.caused < budget) return false;
    if (counts.caused === budget) this.#add({ workspaceId, root: chain.root, ...NONE, caused: 1 });
    return true;
  }

  countFiring({ id, workspaceId, chain }: ChainedEvent): void {
    if (chain === null) this.#add({ workspaceId, root: id, ...NONE, direct: 1 });
    else this.#add({ workspaceId, root: chain.root, ...NONE, caused: 1 });
  }

  /**
   * What this pass has counted. A single direct firing has the budget of none, so it needs no row.
   */
  added(): ChainFirings[] {
    return [...this.#added.values()].filter(({ direct, caused }) => direct > 1 || caused > 0);
  }

  forgetAdded(): void {
    for (const { workspaceId, root } of this.#added.values())
      this.#stored.set(keyOf(workspaceId, root), this.#counts(workspaceId, { root }));
    this.#added.clear();
  }

  #counts(workspaceId: string, { root }: Pick<Chain, "root">): Counts {
    const key = keyOf(workspaceId, root);
    const stored = this.#stored.get(key) ?? NONE;
    const added = this.#added.get(key) ?? NONE;
    return { direct: stored.direct + added.direct, caused: stored.caused + added.caused };
  }

  #add(more: ChainFirings): void {
    const key = keyOf(more.workspaceId, more.root);
    const { direct, caused } = this.#added.get(key) ?? NONE;
    this.#added.set(key, {
      ...more,
      direct: direct + more.direct,
      caused: caused + more.caused,
    });
  }
}

/** Roots that are kept in memory; older ones cost a query again. */
const MOST_ROOTS = 10_000;

/** Cache of roots whose budget is exhausted for good, so that their events are dropped unread. */
export class ExhaustedRoots {
  readonly #roots = new Set<string>();

  get size(): number {
    return this.#roots.size;
  }

  add(workspaceId: string, { root }: Chain): void {
    this.#roots.add(keyOf(workspaceId, root));
    const [oldest] = this.#roots;
    if (this.#roots.size > MOST_ROOTS && oldest !== undefined) this.#roots.delete(oldest);
  }

  has(workspaceId: string, { root }: Chain): boolean {
    return this.#roots.has(keyOf(workspaceId, root));
  }
}
