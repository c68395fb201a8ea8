// Runs monitors when they are due. One heap of due times; a share of the monitors, taken from the
// database and kept by renewing one row; a bounded number of runs. What is late is run once, and
// what was missed is not made up for.

import { sleep } from "@orchestrator/kernel/pure";
import { MONITORS_TOPIC } from "../monitors/monitors.events.ts";
import type { EngineContext } from "./engine-context.ts";
import { ENGINE_TOPIC, isOnlyEngine, LEASE_SECONDS, renewEngineLease } from "./lease.ts";
import { LeasedMonitors } from "./leased-monitors.ts";
import { runMonitor } from "./run-monitor.ts";
import { runRequested } from "./run-requested.ts";
import { Share } from "./share.ts";
import { releaseAllMonitors } from "./shares.store.ts";

/** How often the share is looked at when nothing calls for it. */
const SYNC_MS = 2000;
/** The same for a process that has the database alone, and hears of every change. */
const ALONE_SYNC_MS = 10_000;
/** The share is not looked at more often than this, however much changes. */
const SYNC_PAUSE_MS = 100;
/** Runs that are due within this time of each other are started together. */
const GRAIN_MS = 2;
/**
 * Runs that are under way when the server stops have this long to end: less than the server gives
 * to all of its loops.
 */
const DRAIN_MS = 2000;
/** A pass ends after this, so that it is seen to go on. */
const PASS_MS = 30_000;

export interface EngineOptions {
  /** @default 10 */
  readonly holdSeconds?: number;
}

export class Engine {
  readonly #ctx: EngineContext;
  readonly #holdSeconds: number;
  readonly #held: LeasedMonitors;
  readonly #share: Share;
  #holder: string;
  #syncing: Promise<void> | null = null;
  #syncAtMs = 0;
  #lastSyncMs = Number.NEGATIVE_INFINITY;
  /** The checks that were asked for and are dealt with here. */
  readonly #requested = new Set<string>();

  constructor(ctx: EngineContext, { holdSeconds = LEASE_SECONDS }: EngineOptions = {}) {
    this.#ctx = ctx;
    this.#holdSeconds = holdSeconds;
    this.#holder = ctx.runs.holder;
    this.#held = new LeasedMonitors(ctx);
    this.#share = new Share(ctx, this.#held);
  }

  /** How many monitors are this process's share. */
  get share(): number {
    return this.#held.size;
  }

  /** One pass: takes and reads the share, and starts what is due. */
  async tick(): Promise<void> {
    await this.sync();
    this.startDue();
  }

  /**
   * Works until the signal fires or the pass has lasted long enough; then all is given back, if it
   * was the signal.
   */
  async work(signal: AbortSignal): Promise<void> {
    const { wakeUps: nudges } = this.#ctx.db;
    let wake = new AbortController();
    const look = (): void => {
      this.#syncAtMs = 0;
      wake.abort();
    };
    const stopListening = [MONITORS_TOPIC, ENGINE_TOPIC].map((topic) => nudges.on(topic, look));
    const end = (): void => wake.abort();
    signal.addEventListener("abort", end);
    const until = performance.now() + PASS_MS;
    // Between two passes nobody listens.
    this.#syncAtMs = 0;
    try {
      while (!signal.aborted && performance.now() < until) {
        wake = new AbortController();
        // What is known is run on meanwhile: a look at very many monitors makes none of them late.
        void this.#syncWhenDue()?.finally(() => wake.abort());
        this.startDue();
        if (!signal.aborted) await sleep(this.#pauseMs(), wake.signal);
      }
    } finally {
      signal.removeEventListener("abort", end);
      for (const stop of stopListening) stop();
      await this.#syncing;
    }
    if (signal.aborted) await this.stop();
  }

  /** Lets runs under way end, for a while, and gives all monitors back. */
  async stop(): Promise<void> {
    const ctx = this.#ctx;
    const { holder } = ctx.runs;
    const drained = new AbortController();
    const idle = ctx.runs.idle().then(() => drained.abort());
    await sleep(DRAIN_MS, drained.signal);
    ctx.runs.interrupt();
    await idle;
    this.#held.forgetAll();
    await ctx.db.writeSystem(async (tx) => {
      await releaseAllMonitors(tx, holder);
      tx.notify(ENGINE_TOPIC);
    });
    ctx.runs.startOver(ctx.ids.uuid4());
  }

  /** Renews the hold, takes a fair share of the monitors, and reads what has changed. */
  async sync(): Promise<void> {
    const { runs } = this.#ctx;
    await renewEngineLease(this.#ctx, this.#holdSeconds);
    if (runs.holder !== this.#holder) this.#held.forgetAll();
    this.#holder = runs.holder;
    await this.#share.take(this.#holder);
    await this.#share.readChanges(this.#holder, () => this.#holdOn());
    await runRequested(this.#ctx, this.#holder, this.#requested);
  }

  /** To read very many monitors may take longer than a hold lasts. */
  async #holdOn(): Promise<boolean> {
    await renewEngineLease(this.#ctx, this.#holdSeconds);
    return this.#ctx.runs.holder === this.#holder;
  }

  /** Starts the runs whose time has come. */
  startDue(): void {
    const ctx = this.#ctx;
    if (!this.#mayRun) {
      // Others may have taken over already.
      if (ctx.runs.hasLapsed) ctx.runs.interrupt();
      return;
    }
    for (const monitor of this.#held.takeDue())
      runMonitor(ctx, monitor, "schedule").catch((error: unknown) => {
        ctx.log.error({ err: error, monitor: monitor.id }, "A result could not be stored");
      });
  }

  /**
   * Whether what is known here is still this process's own: its hold lasts, under the name that it
   * was taken under.
   */
  get #mayRun(): boolean {
    const { runs } = this.#ctx;
    return !runs.hasLapsed && runs.holder === this.#holder;
  }

  /** Never rejects; null when it is not time, or somebody is at it. */
  #syncWhenDue(): Promise<void> | null {
    const now = performance.now();
    const isEarly = now < this.#syncAtMs || now < this.#lastSyncMs + SYNC_PAUSE_MS;
    if (isEarly || this.#syncing !== null) return null;
    this.#syncAtMs = now + (isOnlyEngine(this.#ctx) ? ALONE_SYNC_MS : SYNC_MS);
    this.#lastSyncMs = now;
    this.#syncing = this.sync()
      .catch((error: unknown) => {
        // While the hold lasts, what is known is run on.
        this.#ctx.log.warn({ err: error }, "The monitors could not be looked at");
      })
      .finally(() => {
        this.#syncing = null;
      });
    return this.#syncing;
  }

  #pauseMs(): number {
    const now = performance.now();
    const syncAt = Math.max(this.#syncAtMs, this.#lastSyncMs + SYNC_PAUSE_MS);
    // The end of a look wakes whoever waits.
    const toSync = this.#syncing === null ? syncAt - now : SYNC_MS;
    const { nextAt } = this.#held;
    const hasNone = nextAt === null || !this.#mayRun;
    const toDue = hasNone ? SYNC_MS : (nextAt - this.#ctx.clock.nowMicros()) / 1000;
    return Math.max(GRAIN_MS, Math.min(toSync, toDue));
  }
}
