// Runs monitors when they are due. One heap of due times; a share of the monitors, taken from the database and kept by
// renewing one row; a bounded number of runs. What is late is run once, and what was missed is not made up for.

import { formatMicros, parseMicros, sleep } from "@orchestrator/kernel";
import type { UptimeContext } from "../context.ts";
import { MONITORS_TOPIC } from "../features/monitors/monitors.service.ts";
import { answerRequest, listRequests } from "./check-requests.store.ts";
import { DueHeap } from "./due-heap.ts";
import { firstDue, nextDue } from "./due-times.rules.ts";
import { ENGINE_TOPIC, HOLD_SECONDS, isAlone, renewHold } from "./hold.ts";
import { runMonitor } from "./run-monitor.ts";
import {
  giveBack,
  type HeldMonitor,
  leave,
  listOwn,
  notePlans,
  readMonitors,
  readShares,
  takeMonitors,
} from "./shares.store.ts";

/** How often the share is looked at when nothing calls for it. */
const SYNC_MS = 2000;
/** The same for a process that has the database alone, and hears of every change. */
const ALONE_SYNC_MS = 10_000;
/** A clock that is set back by more than this leaves the times of all monitors too far off. */
const CLOCK_STEP_MICROS = 1_000_000;
/** The share is not looked at more often than this, however much changes. */
const SYNC_PAUSE_MS = 100;
/** Runs that are due within this time of each other are started together. */
const GRAIN_MS = 2;
/** So many monitors are read at once. */
const PAGE = 500;
/** A row that was changed this short a time ago may have changed again at the same time of the clock. */
const UNSETTLED_MICROS = 1_000_000;
/** Runs that are under way when the server stops have this long to end: less than the server gives to all of its loops. */
const DRAIN_MS = 2000;
/** A pass ends after this, so that it is seen to go on. */
const PASS_MS = 30_000;

interface Held {
  readonly monitor: HeldMonitor;
  readonly isSettled: boolean;
}

export interface EngineOptions {
  /** @default 10 */
  readonly holdSeconds?: number;
}

export class Engine {
  readonly #ctx: UptimeContext;
  readonly #holdSeconds: number;
  readonly #held = new Map<string, Held>();
  readonly #due = new DueHeap();
  #holder: string;
  #syncAtMs = 0;
  #lastSyncMs = Number.NEGATIVE_INFINITY;
  #lastNow = Number.NEGATIVE_INFINITY;

  constructor(ctx: UptimeContext, { holdSeconds = HOLD_SECONDS }: EngineOptions = {}) {
    this.#ctx = ctx;
    this.#holdSeconds = holdSeconds;
    this.#holder = ctx.runs.holder;
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

  /** Works until the signal fires or the pass has lasted long enough; then all is given back, if it was the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const { nudges } = this.#ctx.db;
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
        await this.#syncWhenDue();
        this.startDue();
        if (!signal.aborted) await sleep(this.#pauseMs(), wake.signal);
      }
    } finally {
      signal.removeEventListener("abort", end);
      for (const stop of stopListening) stop();
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
    this.#forgetAll();
    await ctx.db.writeSystem(async (tx) => {
      await leave(tx, holder);
      tx.nudge(ENGINE_TOPIC);
    });
    ctx.runs.startOver(ctx.ids.uuid4());
  }

  /** Renews the hold, takes a fair share of the monitors, and reads what has changed. */
  async sync(): Promise<void> {
    const { runs } = this.#ctx;
    await renewHold(this.#ctx, this.#holdSeconds);
    if (runs.holder !== this.#holder) this.#forgetAll();
    this.#holder = runs.holder;
    await this.#takeShare();
    await this.#readChanges();
    await this.#runRequested();
  }

  /** Starts the runs whose time has come. */
  startDue(): void {
    const { clock, runs } = this.#ctx;
    if (!this.#mayRun) {
      // Others may have taken over already.
      if (runs.hasLapsed) runs.interrupt();
      return;
    }
    const now = clock.nowMicros();
    if (now < this.#lastNow - CLOCK_STEP_MICROS)
      for (const { monitor } of this.#held.values())
        this.#plan(monitor, () => nextDue(monitor, now));
    this.#lastNow = now;
    for (let due = this.#due.takeDue(now); due !== null; due = this.#due.takeDue(now)) {
      const held = this.#held.get(due.id);
      if (held === undefined) continue;
      const { monitor } = held;
      const isHeldBack = (runs.heldBack.get(due.id) ?? 0) > now;
      // What still runs, or waits for its turn, is not run a second time.
      if (!isHeldBack && runs.find(due.id) === undefined) this.#start(monitor);
      this.#plan(monitor, () => nextDue(monitor, now));
    }
  }

  /** Whether what is known here is still this process's own: its hold lasts, under the name that it was taken under. */
  get #mayRun(): boolean {
    const { runs } = this.#ctx;
    return !runs.hasLapsed && runs.holder === this.#holder;
  }

  #start(monitor: HeldMonitor): void {
    runMonitor(this.#ctx, monitor, "schedule").catch((error: unknown) => {
      this.#ctx.log.error({ err: error, monitor: monitor.id }, "A result could not be stored");
    });
  }

  /** Plans the next run, and tells when it is; null when there is none. */
  #plan(monitor: HeldMonitor, work: () => number | null): number | null {
    const { log, runs } = this.#ctx;
    const heldBack = runs.heldBack.get(monitor.id) ?? 0;
    let due: number | null = null;
    try {
      due = work();
      if (due !== null && due < heldBack) due = nextDue(monitor, heldBack - 1);
    } catch (error) {
      // A time zone, say, that this machine does not know: the other monitors go on.
      log.error({ err: error, monitor: monitor.id }, "The times of a monitor cannot be worked out");
    }
    if (due === null) this.#due.remove(monitor.id);
    else this.#due.set(monitor.id, due);
    return due;
  }

  async #syncWhenDue(): Promise<void> {
    const now = performance.now();
    if (now < this.#syncAtMs || now < this.#lastSyncMs + SYNC_PAUSE_MS) return;
    this.#syncAtMs = now + (isAlone(this.#ctx) ? ALONE_SYNC_MS : SYNC_MS);
    this.#lastSyncMs = now;
    try {
      await this.sync();
    } catch (error) {
      // While the hold lasts, what is known is run on.
      this.#ctx.log.warn({ err: error }, "The monitors could not be looked at");
    }
  }

  #pauseMs(): number {
    const now = performance.now();
    const toSync = Math.max(this.#syncAtMs, this.#lastSyncMs + SYNC_PAUSE_MS) - now;
    const { nextAt } = this.#due;
    const { clock } = this.#ctx;
    const hasNone = nextAt === null || !this.#mayRun;
    const toDue = hasNone ? SYNC_MS : (nextAt - clock.nowMicros()) / 1000;
    return Math.max(GRAIN_MS, Math.min(toSync, toDue));
  }

  /** Takes what nobody has up to a fair part of all, and gives back what is beyond it. */
  async #takeShare(): Promise<void> {
    const { db, runs } = this.#ctx;
    const holder = this.#holder;
    const { sessions, all, own } = await readShares(db, holder);
    const fair = isAlone(this.#ctx) ? all : Math.ceil(all / Math.max(1, sessions));
    if (own < Math.min(fair, all))
      await db.writeSystem((tx) => takeMonitors(tx, { holder, limit: fair - own }));
    if (own > fair) {
      const idle = [...this.#held.keys()].filter((id) => runs.find(id) === undefined);
      await this.#release(idle.slice(0, own - fair));
    }
  }

  async #readChanges(): Promise<void> {
    const { db, runs } = this.#ctx;
    const own = await listOwn(db, this.#holder);
    const ids = new Set(own.map(({ id }) => id));
    for (const id of this.#held.keys()) if (!ids.has(id)) this.#forget(id);
    for (const id of runs.heldBack.keys()) if (!ids.has(id)) runs.heldBack.delete(id);
    const paused = own.filter(({ enabled }) => !enabled).map(({ id }) => id);
    // Not run again from now on; given back when the run under way has ended.
    for (const id of paused) this.#forget(id);
    const idle = paused.filter((id) => runs.find(id) === undefined);
    if (idle.length > 0) await this.#release(idle);
    const changed = own.filter(({ id, updated_at, enabled }) => {
      const held = this.#held.get(id);
      return enabled && !(held?.isSettled && held.monitor.updated_at === updated_at);
    });
    for (let i = 0; i < changed.length; i += PAGE) {
      const page = changed.slice(i, i + PAGE).map(({ id }) => id);
      await this.#adopt(await readMonitors(db, page));
    }
  }

  async #release(ids: readonly string[]): Promise<void> {
    // Nothing of it is started while it is given away.
    for (const id of ids) this.#forget(id);
    await this.#ctx.db.writeSystem(async (tx) => {
      await giveBack(tx, this.#holder, ids);
      tx.nudge(ENGINE_TOPIC);
    });
  }

  /** Plans monitors that are new here, or were changed. */
  async #adopt(monitors: readonly HeldMonitor[]): Promise<void> {
    const now = this.#ctx.clock.nowMicros();
    const unplanned: { id: string; next_run: string }[] = [];
    for (const monitor of monitors) {
      const { id, updated_at } = monitor;
      const known = this.#held.get(id)?.monitor;
      const changedAt = parseMicros(updated_at);
      this.#held.set(id, { monitor, isSettled: now - changedAt > UNSETTLED_MICROS });
      if (known?.updated_at === updated_at) continue;
      this.#noteBackOff(monitor, known !== undefined);
      const due = this.#plan(monitor, () =>
        isPlannedAlike(known, monitor) ? nextDue(monitor, now) : first(monitor, now),
      );
      if (due !== null && monitor.next_run === null)
        unplanned.push({ id, next_run: formatMicros(due) });
    }
    if (unplanned.length > 0) await this.#ctx.db.writeSystem((tx) => notePlans(tx, unplanned));
  }

  /** A target that refused the credentials is left alone until then, or until the monitor is edited. */
  #noteBackOff(monitor: HeldMonitor, isEdited: boolean): void {
    const { heldBack } = this.#ctx.runs;
    const { id, held_back_from, held_back_until, updated_at } = monitor;
    const isOver = isEdited || held_back_from === null || held_back_from <= updated_at;
    if (isOver || held_back_until === null) heldBack.delete(id);
    else heldBack.set(id, parseMicros(held_back_until));
  }

  /** Runs what others wait for. */
  async #runRequested(): Promise<void> {
    const ctx = this.#ctx;
    const requests = await listRequests(ctx.db, this.#holder);
    if (requests.length === 0) return;
    const monitors = await readMonitors(
      ctx.db,
      requests.map(({ monitor_id }) => monitor_id),
    );
    for (const monitor of monitors) {
      const request = requests.find(({ monitor_id }) => monitor_id === monitor.id);
      if (request === undefined) continue;
      runMonitor(ctx, monitor, "manual")
        .then(async (result) => {
          if (result === null) return;
          await ctx.db.writeSystem(async (tx) => {
            await answerRequest(tx, request);
            tx.nudge(ENGINE_TOPIC);
          });
        })
        .catch((error: unknown) => {
          ctx.log.error({ err: error, monitor: monitor.id }, "A check that was asked for failed");
        });
    }
  }

  #forget(id: string): void {
    this.#held.delete(id);
    this.#ctx.runs.heldBack.delete(id);
    this.#due.remove(id);
  }

  #forgetAll(): void {
    this.#held.clear();
    this.#due.clear();
  }
}

function first(monitor: HeldMonitor, now: number): number | null {
  const lastCheck = monitor.last_check === null ? null : parseMicros(monitor.last_check);
  return firstDue(monitor, { now, lastCheck, createdAt: parseMicros(monitor.created_at) });
}

function isPlannedAlike(before: HeldMonitor | undefined, after: HeldMonitor): boolean {
  return (
    before !== undefined &&
    before.interval === after.interval &&
    before.schedule === after.schedule &&
    before.timezone === after.timezone
  );
}
