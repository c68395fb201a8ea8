import type { ServiceHost } from "@orchestrator/kernel";
import type { RunsInFlight } from "./engine/runs-in-flight.ts";
import type { LoginGuard } from "./features/login/login-guard.ts";
import type { UptimeSettings } from "./settings.ts";

/** What the service needs, built once at the start. A test builds its own. */
export interface UptimeContext extends ServiceHost {
  readonly settings: UptimeSettings;
  /** How much work it is to try a password: the logarithm of the cost. */
  readonly passwordCost: number;
  /** Who has failed to log in lately, and who was let in. */
  readonly logins: LoginGuard;
  /** The checks that this process runs at present. */
  readonly runs: RunsInFlight;
}
