import type { Pipeline } from "../../engine/runs-in-flight.ts";
import type { CheckStatus } from "../results/results.table.ts";

/** What this process has seen of a monitor since it started. */
export interface MonitorReading {
  readonly elapsedMs: number;
  /** When the first of the target's certificates ends; null where it has none. */
  readonly certificateEnds: string | null;
  readonly counts: Readonly<Record<CheckStatus, number>>;
}

const NO_COUNTS = { up: 0, degraded: 0, down: 0 };
/** Of monitors that come and go nobody may ever ask. */
const MOST_READINGS = 100_000;

/** The last run of each monitor that this process has checked, and how its runs ended; in memory alone. */
export class MonitorReadings {
  readonly #readings = new Map<string, MonitorReading>();

  find(id: string): MonitorReading | undefined {
    return this.#readings.get(id);
  }

  /** Forgets the monitors that are none of these. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#readings.keys()) if (!ids.has(id)) this.#readings.delete(id);
  }

  /** The same pipeline, with every run that says something about its target taken down. */
  watching(pipeline: Pipeline): Pipeline {
    return async (target, deps) => {
      const outcome = await pipeline(target, deps);
      if (!outcome.inconclusive) {
        const { status, elapsed_ms: elapsedMs, certificate_ends: certificateEnds } = outcome;
        const counts = this.#readings.get(target.id)?.counts ?? NO_COUNTS;
        this.#keep(target.id, {
          elapsedMs,
          certificateEnds,
          counts: { ...counts, [status]: counts[status] + 1 },
        });
      }
      return outcome;
    };
  }

  #keep(id: string, reading: MonitorReading): void {
    if (this.#readings.size >= MOST_READINGS && !this.#readings.has(id)) {
      const [oldest = ""] = this.#readings.keys();
      this.#readings.delete(oldest);
    }
    this.#readings.set(id, reading);
  }
}
