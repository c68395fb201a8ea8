import { AppError, type Clock, formatMicros } from "@orchestrator/kernel/pure";
import { type Allowance, noQuotas, type Quotas, type UsedUp } from "@orchestrator/kernel/scope";
import type { CountedKind, Database } from "@orchestrator/kernel/storage";
import type { QuotaSettings } from "./quota-settings.ts";
import {
  isDaily,
  lesserLimits,
  NO_LIMITS,
  QUOTAS_OF,
  type Quota,
  type QuotaLimits,
  type QuotaUsage,
  remainingOf,
  usedUp,
  usedUpMessage,
} from "./quotas.rules.ts";
import { UnmeasuredBytes } from "./unmeasured-bytes.ts";
import { listCountsOf, listQuotas, listSizes, readDatabaseBytes } from "./usage.store.ts";
import type { UsageCounts } from "./usage-counts.ts";

interface Parts {
  readonly db: Database;
  readonly clock: Clock;
  readonly usage: UsageCounts;
  readonly settings: QuotaSettings;
}

const DAY_MICROS = 86_400_000_000;

/**
 * What workspaces may have and what they have, in memory: asking costs nothing. It is read again
 * every few seconds; in between, this process adds what it makes itself, and does not know what
 * others make.
 */
export class QuotaKeeper implements Quotas {
  readonly #parts: Parts;
  readonly #ceiling: QuotaLimits;
  #day = "";
  #limits: ReadonlyMap<string, QuotaLimits> = new Map();
  #used: ReadonlyMap<string, QuotaUsage> = new Map();
  readonly #unmeasured = new UnmeasuredBytes();
  /** Whether an account holds a workspace to an amount that has to be measured to be shown. */
  #hasOwnSizes = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { runsPerDay, eventsPerDay, runsStored, storage } = parts.settings;
    this.#ceiling = {
      runs_per_day: runsPerDay,
      events_per_day: eventsPerDay,
      runs_stored: runsStored,
      storage_bytes: storage === 0 ? null : storage,
    };
  }

  /** Whether anybody is held to anything. */
  get isNeeded(): boolean {
    return this.#hasCeiling || this.#limits.size > 0;
  }

  /**
   * Whether what is there has to be measured. A bound that the whole database does not come near
   * needs no measuring.
   */
  async needsSizes(): Promise<boolean> {
    const { runs_stored, storage_bytes } = this.#ceiling;
    if (this.#hasOwnSizes || runs_stored !== null) return true;
    if (storage_bytes === null) return false;
    const known = [...this.#used.values()].map((used) => used.storage_bytes ?? 0);
    return Math.max(await readDatabaseBytes(this.#parts.db), ...known) * 2 >= storage_bytes;
  }

  /** Counts what a request stores until the workspace is measured again. */
  noteBytes(workspaceId: string, bytes: number): void {
    if (this.#used.get(workspaceId)?.storage_bytes != null)
      this.#unmeasured.add(workspaceId, bytes);
  }

  get #hasCeiling(): boolean {
    return Object.values(this.#ceiling).some((limit) => limit !== null);
  }

  effective(own: QuotaLimits): QuotaLimits {
    return lesserLimits(own, this.#ceiling);
  }

  get resets(): string {
    const { clock } = this.#parts;
    return formatMicros(Math.floor(clock.nowMicros() / DAY_MICROS + 1) * DAY_MICROS);
  }

  /** Reads again what may be had, what other processes have made, and what was measured. */
  async refresh(): Promise<void> {
    const { db, usage } = this.#parts;
    const quotas = await listQuotas(db);
    this.#limits = new Map(quotas.map((row) => [row.workspace_id, this.effective(row)]));
    this.#hasOwnSizes = quotas.some(
      (row) => row.runs_stored !== null || row.storage_bytes !== null,
    );
    if (!this.isNeeded) return;
    const day = usage.today;
    const counts = this.#countsDays ? await listCountsOf(db, { day, except: usage.counter }) : [];
    const sizes = await listSizes(db);
    const used = new Map<string, QuotaUsage>();
    for (const { workspace_id, runs, events } of counts)
      used.set(workspace_id, { ...NO_LIMITS, runs_per_day: runs, events_per_day: events });
    for (const { workspace_id, measured, runs, bytes } of sizes) {
      this.#unmeasured.measured(workspace_id, measured);
      const known = used.get(workspace_id) ?? NO_LIMITS;
      used.set(workspace_id, { ...known, runs_stored: runs, storage_bytes: bytes });
    }
    this.#used = used;
    this.#day = day;
  }

  /** Null where there is room in all of the quotas; what is to be said otherwise. */
  problem(workspaceId: string, quotas: readonly Quota[]): AppError | null {
    if (quotas.length === 0 || !this.isNeeded) return null;
    const { limits, used } = this.#heldTo(workspaceId, quotas);
    const found = this.#usedUp(limits, used, quotas);
    // Not `too_many_requests`: clients wait and try again by themselves, here for hours.
    return found === null ? null : new AppError("forbidden", found.words);
  }

  allowance(workspaceId: string, kind: CountedKind, reserved = 0): Allowance {
    if (!this.isNeeded) return noQuotas.allowance(workspaceId, kind);
    const quotas = QUOTAS_OF[kind];
    const { limits, used: counted } = this.#heldTo(workspaceId, quotas);
    const used = withReserved(counted, kind, reserved);
    const left = remainingOf(limits, used, quotas);
    return { left, usedUp: left > 0 ? null : this.#usedUp(limits, used, quotas) };
  }

  get #countsDays(): boolean {
    const all = [this.#ceiling, ...this.#limits.values()];
    return all.some((limits) => limits.runs_per_day !== null || limits.events_per_day !== null);
  }

  #heldTo(
    workspaceId: string,
    quotas: readonly Quota[],
  ): { readonly limits: QuotaLimits; readonly used: QuotaUsage } {
    const limits = this.#limits.get(workspaceId) ?? this.#ceiling;
    // Every request that stores something comes here, and to know which day it is costs the most.
    const isCounted = quotas.some((quota) => limits[quota] !== null && isDaily(quota));
    const used = this.#measured(workspaceId);
    return { limits, used: isCounted ? this.#withCounts(workspaceId, used) : used };
  }

  #usedUp(limits: QuotaLimits, used: QuotaUsage, quotas: readonly Quota[]): UsedUp | null {
    const quota = usedUp(limits, used, quotas);
    if (quota === null) return null;
    const { resets } = this;
    return {
      quota,
      limit: limits[quota] ?? 0,
      used: used[quota] ?? 0,
      words: usedUpMessage(quota, limits, { used, resets }),
      resets: isDaily(quota) ? resets : null,
    };
  }

  #measured(workspaceId: string): QuotaUsage {
    const known = this.#used.get(workspaceId) ?? NO_LIMITS;
    if (known.storage_bytes === null) return known;
    const storage_bytes = known.storage_bytes + this.#unmeasured.of(workspaceId);
    return { ...known, storage_bytes };
  }

  #withCounts(workspaceId: string, known: QuotaUsage): QuotaUsage {
    const { runs, events } = this.#parts.usage.ownOf(workspaceId);
    const isToday = this.#day === this.#parts.usage.today;
    return {
      ...known,
      runs_per_day: (isToday ? (known.runs_per_day ?? 0) : 0) + runs,
      events_per_day: (isToday ? (known.events_per_day ?? 0) : 0) + events,
    };
  }
}

function withReserved(used: QuotaUsage, kind: CountedKind, reserved: number): QuotaUsage {
  const quota = `${kind}_per_day` as const;
  return { ...used, [quota]: (used[quota] ?? 0) + reserved };
}
