import type { CountedKind } from "../storage/database.ts";

/** What is used up, and what is said to whoever wanted more. */
export interface UsedUp {
  /** Its name, such as `runs_per_day`. */
  readonly quota: string;
  readonly limit: number;
  readonly used: number;
  /** Which quota, how much of it, when it is there again, and what to do. */
  readonly words: string;
  /** When there is some again whatever is done, if that is known. */
  readonly resets: string | null;
}

/** How much more of something a workspace may make. */
export interface Allowance {
  /** Any number is `Infinity`. */
  readonly left: number;
  /** Null while some are left. */
  readonly usedUp: UsedUp | null;
}

/**
 * How much workspaces may make. Requests are held to it before they reach a service; whoever acts
 * where nobody asks asks here. Asking costs nothing.
 */
export interface Quotas {
  readonly allowance: (
    workspaceId: string,
    kind: CountedKind,
    /** What is about to be made, and not counted yet. */
    reserved?: number,
  ) => Allowance;
}

const ANY: Allowance = { left: Number.POSITIVE_INFINITY, usedUp: null };

/** Holds nobody to anything. */
export const noQuotas: Quotas = { allowance: () => ANY };
