// No key and no workspace takes so much of the server that others have none. A share is counted in
// units of what an ordinary request costs, so that a caller with a thousand small requests and one
// with fifty long searches are treated alike. In memory: each replica counts for itself.

import { AppError } from "../errors/app-error.ts";
import type { Scope } from "../scope/scope.ts";
import { TokenBuckets, type TokenRate } from "./token-buckets.ts";

export interface FairShareLimits {
  /** Units a second in the long run; 0 for any number. */
  readonly perKey: number;
  readonly perWorkspace: number;
  /** Expensive requests at the same time; 0 for any number. */
  readonly expensivePerKey: number;
  readonly expensivePerWorkspace: number;
}

/** A bucket holds this much of a share, for bursts of a caller that was quiet before. */
const BURST_SECONDS = 30;
const MOST_NAMES = 20_000;

/** One of the two that a request counts against. */
interface Holder {
  readonly title: string;
  readonly rate: TokenRate | null;
  readonly perSecond: number;
  readonly setting: string;
  readonly buckets: TokenBuckets;
  readonly mostExpensive: number;
  readonly expensiveSetting: string;
  readonly expensive: Map<string, number>;
}

export type Release = () => void;

export class FairShare {
  readonly #key: Holder;
  readonly #workspace: Holder;

  constructor(limits: FairShareLimits, now?: () => number) {
    this.#key = holder({
      title: "This key",
      perSecond: limits.perKey,
      setting: "ORCHESTRATOR_FAIR_SHARE_PER_KEY",
      mostExpensive: limits.expensivePerKey,
      expensiveSetting: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_KEY",
      buckets: new TokenBuckets(MOST_NAMES, now),
    });
    this.#workspace = holder({
      title: "This workspace",
      perSecond: limits.perWorkspace,
      setting: "ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE",
      mostExpensive: limits.expensivePerWorkspace,
      expensiveSetting: "ORCHESTRATOR_FAIR_SHARE_EXPENSIVE_PER_WORKSPACE",
      buckets: new TokenBuckets(MOST_NAMES, now),
    });
  }

  /** Null where the request is within both shares; the refusal otherwise. */
  take(scope: Scope, units: number): AppError | null {
    return (
      takeFrom(this.#key, keyOf(scope), units) ??
      takeFrom(this.#workspace, scope.workspaceId, units)
    );
  }

  /**
   * Adds to what a request cost that is let in already: the caller's next one waits until it is
   * paid.
   */
  charge(scope: Scope, units: number): void {
    chargeTo(this.#key, keyOf(scope), units);
    chargeTo(this.#workspace, scope.workspaceId, units);
  }

  /**
   * Begins an expensive request; what it returns ends it. A refusal where as many are under way as
   * may be.
   */
  begin(scope: Scope): Release | AppError {
    const key = keyOf(scope);
    const { workspaceId } = scope;
    const refusal = fullOf(this.#key, key) ?? fullOf(this.#workspace, workspaceId);
    if (refusal !== null) return refusal;
    add(this.#key, key, 1);
    add(this.#workspace, workspaceId, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      add(this.#key, key, -1);
      add(this.#workspace, workspaceId, -1);
    };
  }
}

/**
 * Callers without a name of their own, as where all have one password, are told apart by their
 * address.
 */
const keyOf = ({ credentialId, caller, address }: Scope): string =>
  credentialId ?? caller.id ?? address ?? "";

function holder(parts: Omit<Holder, "rate" | "expensive">): Holder {
  const { perSecond } = parts;
  const rate = { perMinute: perSecond * 60, burst: perSecond * BURST_SECONDS };
  return { ...parts, rate: perSecond === 0 ? null : rate, expensive: new Map() };
}

function takeFrom(holder: Holder, name: string, units: number): AppError | null {
  const { rate, buckets, title, perSecond, setting } = holder;
  if (rate === null) return null;
  const { isTaken, waitMs } = buckets.take(name, rate, units);
  if (isTaken) return null;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError(
    "too_many_requests",
    `${title} has used its share of the server, ${perSecond} units a second (${setting}): try again in ${retryAfterSeconds} s`,
    { retryAfterSeconds },
  );
}

function chargeTo({ rate, buckets }: Holder, name: string, units: number): void {
  if (rate !== null) buckets.charge(name, rate, units);
}

function fullOf(holder: Holder, name: string): AppError | null {
  const { mostExpensive: most, expensive, title, expensiveSetting } = holder;
  if (most === 0 || (expensive.get(name) ?? 0) < most) return null;
  return new AppError(
    "too_many_requests",
    `${title} has ${most} expensive requests under way, such as searches, long lists, exports or bulk operations, and may have no more at once (${expensiveSetting}): try again in 1 s`,
    { retryAfterSeconds: 1 },
  );
}

/** Names without any are not kept. */
function add({ expensive }: Holder, name: string, count: number): void {
  const now = (expensive.get(name) ?? 0) + count;
  if (now === 0) expensive.delete(name);
  else expensive.set(name, now);
}
