import type { UptimeContext } from "../context.ts";
import type { ResultRecorder } from "../results/result-recorder.ts";
import type { MonitorReadings } from "./monitor-readings.ts";
import type { RunsInFlight } from "./runs-in-flight.ts";

export interface EngineContext extends UptimeContext {
  /** The checks that this process runs at present. */
  readonly runs: RunsInFlight;
  /** Where their results go. */
  readonly recorder: ResultRecorder;
  /** What they saw, as far as it is measured. */
  readonly readings: MonitorReadings;
}
