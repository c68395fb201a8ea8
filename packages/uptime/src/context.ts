import type { LoginGuard } from "@orchestrator/kernel/http";
import type { Hearing } from "@orchestrator/kernel/loops";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { OutboundPolicy } from "@orchestrator/outbound";
import type { UptimeSettings } from "./settings.ts";

/**
 * What every room of the service needs. A room whose state is in memory adds it in a context of its
 * own.
 */
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
}
