// What a check is: it looks at one target once and tells what it saw.

import type { CheckConfig, CheckType, MonitorStatus } from "@orchestrator/contract";
import type { Clock, HostResolver, OutboundPolicy } from "@orchestrator/kernel";

/** How checks reach the world. */
export interface CheckNetwork {
  readonly policy: OutboundPolicy;
  /** Finds the addresses of hosts; the name servers and the hosts file of this machine unless another is given. */
  readonly resolve?: HostResolver;
  /** Certificates (PEM) that are trusted instead of the well-known ones. */
  readonly authorities?: readonly string[] | undefined;
}

/** When the target called last. */
export interface Heartbeat {
  readonly lastCallAt: string | null;
  /** Whether the target said of itself that it had failed. */
  readonly hasFailed: boolean;
  /** Since when calls are awaited: creation, or when the monitor was last enabled. */
  readonly awaitedSince: string;
  /** The monitor's interval in seconds, which is the period when the check names none. */
  readonly interval: number;
}

export interface CheckTarget {
  /** The monitor's url, with its credentials if it has any. */
  readonly url: string;
  readonly heartbeat: Heartbeat | null;
}

/** What one attempt is given. */
export interface CheckRun extends CheckNetwork {
  readonly resolve: HostResolver;
  readonly clock: Clock;
  /** Aborted when the time of the attempt is over, or the server stops. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Takes secrets out of a text; to be used before the text is cut. */
  readonly hide: (text: string) => string;
}

export interface CheckOutcome {
  readonly status: MonitorStatus;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Whether another attempt could end otherwise: the network failed, or the target said that it was busy. */
  readonly isTransient: boolean;
  /** Whether nothing was heard from the target at all, so that our own network may be at fault. */
  readonly isUnreachable: boolean;
  readonly isAuthFailure: boolean;
  /** Microseconds since 1970 at which the target's certificate ends. */
  readonly certificateEndsMicros: number | null;
}

export type ConfigOf<Type extends CheckType> = Extract<CheckConfig, { readonly type: Type }>;

export interface Check<Type extends CheckType = CheckType> {
  readonly type: Type;
  /** One attempt. What it throws is an error of the connection. */
  attempt(config: ConfigOf<Type>, target: CheckTarget, run: CheckRun): Promise<CheckOutcome>;
  /** What must appear in no message and no detail. */
  secrets(config: ConfigOf<Type>): readonly string[];
  /** How often it is tried again when the configuration does not say; the default of its type unless it depends. */
  retries?(config: ConfigOf<Type>): number;
}
