import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { isOverdue, nextDue } from "../monitors/due-times.rules.ts";
import { DueHeap } from "./due-heap.ts";
import type { EngineContext } from "./engine-context.ts";
import type { LeasedMonitor, MonitorDue } from "./shares.store.ts";

/**
 * A row that was changed this short a time ago may have changed again at the same time of the
 * clock.
 */
const UNSETTLED_MICROS = 1_000_000;
/**
 * Runs that are wanted at once, but have no time of their own, stand in line, this far apart: those
 * that were missed while nobody ran them, and those of monitors that are new, resumed or edited. A
 * few are run at once; very many are no herd.
 */
const APART_MICROS = 2500;
/** So long a line is no line. */
const SHORT_LINE_MICROS = 100 * APART_MICROS;
/** Behind a longer one, whoever is new and has a time of its own this soon can wait for that. */
const SOON_MICROS = 60_000_000;
/** An edited monitor whose run is under way is looked at again after this. */
const AGAIN_MICROS = 100_000;
/** A clock that is set back by more than this leaves the times of all monitors too far off. */
const CLOCK_STEP_MICROS = 1_000_000;

interface Held {
  readonly monitor: LeasedMonitor;
  readonly isSettled: boolean;
}

/**
 * The monitors that this process runs, and when each is due next. Nothing here asks the database.
 */
export class LeasedMonitors {
  readonly #ctx: Pick<EngineContext, "clock" | "log" | "runs">;
  readonly #held = new Map<string, Held>();
  readonly #due = new DueHeap();
  /** Monitors that were edited and not run since: a run under way is of what they were before. */
  readonly #edited = new Set<string>();
  #lineEnds = 0;
  #lastNow = Number.NEGATIVE_INFINITY;

  constructor(ctx: Pick<EngineContext, "clock" | "log" | "runs">) {
    this.#ctx = ctx;
  }

  get size(): number {
    return this.#held.size;
  }

  ids(): string[] {
    return [...this.#held.keys()];
  }

  /** When the first is due, in microseconds. */
  get nextAt(): number | null {
    return this.#due.nextAt;
  }

  /** Whether a monitor is known as it is in the database. */
  isCurrent({ id, updated_at }: Pick<LeasedMonitor, "id" | "updated_at">): boolean {
    const held = this.#held.get(id);
    return held !== undefined && held.isSettled && held.monitor.updated_at === updated_at;
  }

  /** Plans monitors that are new here, or were changed; tells of those that had no plan before. */
  adopt(monitors: readonly LeasedMonitor[]): MonitorDue[] {
    const now = this.#ctx.clock.nowMicros();
    const unplanned: MonitorDue[] = [];
    for (const monitor of monitors) {
      const { id, updated_at } = monitor;
      const known = this.#held.get(id)?.monitor;
      const isSettled = now - parseMicros(updated_at) > UNSETTLED_MICROS;
      this.#held.set(id, { monitor, isSettled });
      if (known?.updated_at === updated_at) continue;
      this.#noteBackOff(monitor, known !== undefined);
      const due = this.#plan(monitor, () => this.#first(monitor, known, now));
      if (due !== null && monitor.next_run === null)
        unplanned.push({ id, next_run: formatMicros(due) });
    }
    return unplanned;
  }

  /**
   * The monitors to be run now. What still runs, or waits for its turn, is not run a second time.
   */
  takeDue(): LeasedMonitor[] {
    const { clock, runs } = this.#ctx;
    const now = clock.nowMicros();
    if (now < this.#lastNow - CLOCK_STEP_MICROS)
      for (const { monitor } of this.#held.values())
        this.#plan(monitor, () => nextDue(monitor, now));
    this.#lastNow = now;
    const taken: LeasedMonitor[] = [];
    for (let due = this.#due.takeDue(now); due !== null; due = this.#due.takeDue(now)) {
      const monitor = this.#held.get(due.id)?.monitor;
      if (monitor === undefined) continue;
      const isHeldBack = this.#heldBackUntil(monitor) > now;
      const isRunning = runs.find(due.id) !== undefined;
      const isAwaited = isRunning && this.#edited.has(due.id);
      if (!isRunning) this.#edited.delete(due.id);
      if (!isHeldBack && !isRunning) taken.push(monitor);
      this.#plan(monitor, () => (isAwaited ? now + AGAIN_MICROS : nextDue(monitor, now)));
    }
    return taken;
  }

  forget(id: string): void {
    this.#held.delete(id);
    this.#edited.delete(id);
    this.#ctx.runs.heldBack.delete(id);
    this.#due.remove(id);
  }

  forgetAll(): void {
    this.#held.clear();
    this.#edited.clear();
    this.#due.clear();
  }

  /**
   * When a monitor is due that was just taken over or changed: at its next time, or before if it
   * should have run.
   */
  #first(monitor: LeasedMonitor, known: LeasedMonitor | undefined, now: number): number | null {
    const { id, last_check, next_run, schedule } = monitor;
    const regular = nextDue(monitor, now);
    // Whoever resumes it, or changes where, how or how often it looks, takes its plan away; a run
    // that was under way may have brought another one since. A schedule is waited for nevertheless.
    const isPlanless = next_run === null && last_check !== null;
    const isEdited = schedule === null && (known ? looksOtherwise(known, monitor) : isPlanless);
    if (!isEdited && (known !== undefined || !isMissed(monitor, now))) return regular;
    if (isEdited) this.#edited.add(id);
    const turn = Math.max(now, this.#lineEnds);
    const hasTimeSoon = regular !== null && regular <= now + SOON_MICROS;
    if (last_check === null && turn - now > SHORT_LINE_MICROS && hasTimeSoon) return regular;
    if (regular !== null && regular <= turn) return regular;
    this.#lineEnds = turn + APART_MICROS;
    return turn;
  }

  /** Plans the next run, and tells when it is; null when there is none. */
  #plan(monitor: LeasedMonitor, work: () => number | null): number | null {
    const { log } = this.#ctx;
    const heldBack = this.#heldBackUntil(monitor);
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

  /**
   * A run that was under way when the monitor was edited says nothing of the credentials it has
   * now.
   */
  #heldBackUntil({ id, updated_at }: LeasedMonitor): number {
    const known = this.#ctx.runs.heldBack.get(id);
    return known?.asOf === updated_at ? known.until : 0;
  }

  /**
   * A target that refused the credentials is left alone until then, or until the monitor is edited.
   */
  #noteBackOff(monitor: LeasedMonitor, isEdited: boolean): void {
    const { heldBack } = this.#ctx.runs;
    const { id, held_back_from, held_back_until, updated_at } = monitor;
    const isOver = isEdited || held_back_from === null || held_back_from <= updated_at;
    if (isOver || held_back_until === null) heldBack.delete(id);
    else heldBack.set(id, { until: parseMicros(held_back_until), asOf: updated_at });
  }
}

/** Whether results of the one say nothing of the other, or come at other times. */
function looksOtherwise(before: LeasedMonitor, after: LeasedMonitor): boolean {
  return (
    before.url !== after.url ||
    before.pipeline !== after.pipeline ||
    before.secrets !== after.secrets ||
    before.interval !== after.interval ||
    before.schedule !== after.schedule
  );
}

function isMissed(monitor: LeasedMonitor, now: number): boolean {
  const lastCheck = monitor.last_check === null ? null : parseMicros(monitor.last_check);
  return isOverdue(monitor, { now, lastCheck, createdAt: parseMicros(monitor.created_at) });
}
