import type { Logger } from "@orchestrator/kernel/log";
import type { Database } from "@orchestrator/kernel/storage";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { type CachedWindow, cacheWindow, type Windows, windowsOf } from "./coverage.rules.ts";
import { listWindows } from "./maintenance.store.ts";

/** Whoever goes by the windows listens for this topic. */
export const MAINTENANCE_TOPIC = "maintenance";
/** A process that a nudge did not reach goes by what it knew for no longer than this. */
const MAX_AGE_MS = 10_000;
/** Windows that are gone are forgotten when there are so many. */
const MOST_KNOWN = 10_000;

interface Loaded {
  readonly generation: number;
  readonly until: number;
  readonly windows: Promise<Windows>;
}

/**
 * All maintenance windows, at hand in this process, because every result is measured against them.
 * They are read again when somebody has changed them, and after a while in any case.
 */
export class MaintenanceCalendar {
  readonly #db: Database;
  readonly #log: Pick<Logger, "warn">;
  readonly #loaded = new Map<string, Loaded>();
  readonly #known = new Map<string, CachedWindow>();
  #generation = 0;

  constructor(db: Database, log: Pick<Logger, "warn">) {
    this.#db = db;
    this.#log = log;
    db.wakeUps.on(MAINTENANCE_TOPIC, () => this.forget());
  }

  /** What is known may be out of date. */
  forget(): void {
    this.#generation += 1;
  }

  async windowsIn(workspaceId: string): Promise<Windows> {
    const known = this.#loaded.get(workspaceId);
    const isFresh =
      known !== undefined &&
      known.generation === this.#generation &&
      performance.now() < known.until;
    if (isFresh) return known.windows;
    const windows = this.#load(workspaceId);
    const loaded = {
      generation: this.#generation,
      until: performance.now() + MAX_AGE_MS,
      windows,
    };
    this.#loaded.set(workspaceId, loaded);
    try {
      return await windows;
    } catch (error) {
      if (this.#loaded.get(workspaceId) === loaded) this.#loaded.delete(workspaceId);
      throw error;
    }
  }

  /** A window as it is now. One that is as it was keeps the times that were worked out for it. */
  know(row: MaintenanceRow): CachedWindow {
    const before = this.#known.get(row.id);
    if (before !== undefined && JSON.stringify(before.row) === JSON.stringify(row)) return before;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const known = cacheWindow(row);
    const { problem } = known;
    if (problem !== null)
      this.#log.warn({ maintenance: row.id, problem }, "A maintenance window does not take place");
    this.#known.set(row.id, known);
    return known;
  }

  async #load(workspaceId: string): Promise<Windows> {
    const rows = await listWindows(this.#db.in(workspaceId));
    return windowsOf(rows.map((row) => this.know(row)));
  }
}
