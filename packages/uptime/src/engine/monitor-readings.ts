import type { CheckStatus } from "../db/tables/results.table.ts";
import type { Pipeline } from "./runs-in-flight.ts";

/** What this process has seen of a monitor since it started. */
export interface MonitorReading {
  readonly elapsedMs: number;
  /** When the first of the target's certificates ends; null where it has none. */
  readonly certificateEnds: string | null;
  readonly counts: Readonly<Record<CheckStatus, number>>;
}

interface Growing extends MonitorReading {
  elapsedMs: number;
  certificateEnds: string | null;
  readonly counts: Record<CheckStatus, number>;
}

/** Of monitors that come and go nobody may ever ask. */
const MOST_READINGS = 100_000;

/**
 * The last run of each monitor that this process has checked, and how its runs ended; in memory
 * alone.
 */
export class MonitorReadings {
  readonly #readings = new Map<string, Growing>();

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
        const reading = this.#readingOf(target.id);
        reading.elapsedMs = outcome.elapsed_ms;
        reading.certificateEnds = outcome.certificate_ends;
        reading.counts[outcome.status] += 1;
      }
      return outcome;
    };
  }

  #readingOf(id: string): Growing {
    const known = this.#readings.get(id);
    if (known !== undefined) return known;
    if (this.#readings.size >= MOST_READINGS) {
      const [oldest = ""] = this.#readings.keys();
      this.#readings.delete(oldest);
    }
    const fresh = { elapsedMs: 0, certificateEnds: null, counts: { up: 0, degraded: 0, down: 0 } };
    this.#readings.set(id, fresh);
    return fresh;
  }
}
