import { formatMicros, parseMicros } from "@orchestrator/kernel";
import type { UptimeContext } from "../context.ts";
import { DueHeap } from "./due-heap.ts";
import { firstDue, nextDue } from "./due-times.rules.ts";
import type { HeldMonitor, Plan } from "./shares.store.ts";

/** A row that was changed this short a time ago may have changed again at the same time of the clock. */
const UNSETTLED_MICROS = 1_000_000;
/** A clock that is set back by more than this leaves the times of all monitors too far off. */
const CLOCK_STEP_MICROS = 1_000_000;

interface Held {
  readonly monitor: HeldMonitor;
  readonly isSettled: boolean;
}

/** The monitors that this process runs, and when each is due next. Nothing here asks the database. */
export class HeldMonitors {
  readonly #ctx: Pick<UptimeContext, "clock" | "log" | "runs">;
  readonly #held = new Map<string, Held>();
  readonly #due = new DueHeap();
  #lastNow = Number.NEGATIVE_INFINITY;

  constructor(ctx: Pick<UptimeContext, "clock" | "log" | "runs">) {
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
  isCurrent({ id, updated_at }: Pick<HeldMonitor, "id" | "updated_at">): boolean {
    const held = this.#held.get(id);
    return held !== undefined && held.isSettled && held.monitor.updated_at === updated_at;
  }

  /** Plans monitors that are new here, or were changed; tells of those that had no plan before. */
  adopt(monitors: readonly HeldMonitor[]): Plan[] {
    const now = this.#ctx.clock.nowMicros();
    const unplanned: Plan[] = [];
    for (const monitor of monitors) {
      const { id, updated_at } = monitor;
      const known = this.#held.get(id)?.monitor;
      const isSettled = now - parseMicros(updated_at) > UNSETTLED_MICROS;
      this.#held.set(id, { monitor, isSettled });
      if (known?.updated_at === updated_at) continue;
      this.#noteBackOff(monitor, known !== undefined);
      const due = this.#plan(monitor, () =>
        isPlannedAlike(known, monitor) ? nextDue(monitor, now) : first(monitor, now),
      );
      if (due !== null && monitor.next_run === null)
        unplanned.push({ id, next_run: formatMicros(due) });
    }
    return unplanned;
  }

  /** The monitors to be run now. What still runs, or waits for its turn, is not run a second time. */
  takeDue(): HeldMonitor[] {
    const { clock, runs } = this.#ctx;
    const now = clock.nowMicros();
    if (now < this.#lastNow - CLOCK_STEP_MICROS)
      for (const { monitor } of this.#held.values())
        this.#plan(monitor, () => nextDue(monitor, now));
    this.#lastNow = now;
    const taken: HeldMonitor[] = [];
    for (let due = this.#due.takeDue(now); due !== null; due = this.#due.takeDue(now)) {
      const monitor = this.#held.get(due.id)?.monitor;
      if (monitor === undefined) continue;
      const isHeldBack = (runs.heldBack.get(due.id) ?? 0) > now;
      if (!isHeldBack && runs.find(due.id) === undefined) taken.push(monitor);
      this.#plan(monitor, () => nextDue(monitor, now));
    }
    return taken;
  }

  forget(id: string): void {
    this.#held.delete(id);
    this.#ctx.runs.heldBack.delete(id);
    this.#due.remove(id);
  }

  forgetAll(): void {
    this.#held.clear();
    this.#due.clear();
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

  /** A target that refused the credentials is left alone until then, or until the monitor is edited. */
  #noteBackOff(monitor: HeldMonitor, isEdited: boolean): void {
    const { heldBack } = this.#ctx.runs;
    const { id, held_back_from, held_back_until, updated_at } = monitor;
    const isOver = isEdited || held_back_from === null || held_back_from <= updated_at;
    if (isOver || held_back_until === null) heldBack.delete(id);
    else heldBack.set(id, parseMicros(held_back_until));
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
