import type { Hearing, LoginGuard, OutboundPolicy, ServiceHost } from "@orchestrator/kernel";
import type { RunsInFlight } from "./engine/runs-in-flight.ts";
import type { MaintenanceCalendar } from "./features/maintenance/maintenance-calendar.ts";
import type { MonitorReadings } from "./features/monitor-metrics/monitor-readings.ts";
import type { ResultRecorder } from "./features/results/result-recorder.ts";
import type { PublicPages } from "./features/status-pages/public-pages.ts";
import type { UptimeSettings } from "./settings.ts";

/** What the service needs, built once at the start. A test builds its own. */
export interface UptimeContext extends ServiceHost {
  readonly settings: UptimeSettings;
  /** In which time targets could be heard: asked before the silence of one is judged. */
  readonly hearing: Hearing;
  /** Where checks may go. */
  readonly policy: OutboundPolicy;
  /** How much work it is to try a password: the logarithm of the cost. */
  readonly passwordCost: number;
  /** Who has failed to log in lately, and who was let in. */
  readonly logins: LoginGuard;
  /** The maintenance windows, as this process knows them. */
  readonly maintenance: MaintenanceCalendar;
  /** The checks that this process runs at present. */
  readonly runs: RunsInFlight;
  /** Where their results go. */
  readonly recorder: ResultRecorder;
  /** What they saw, as far as it is measured. */
  readonly readings: MonitorReadings;
  /** The published status pages, as this process knows them. */
  readonly pages: PublicPages;
}
