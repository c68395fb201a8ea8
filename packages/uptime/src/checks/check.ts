// What a type of check is: it looks at one target once and tells what it saw. All there is to know
// of one stands in its file; only a heartbeat is more than a check, because its target calls us:
// its token and its calls are seen to elsewhere.

import type { CheckField, MonitorStatus } from "@orchestrator/contract";
import type { Compute } from "@orchestrator/kernel/compute";
import type { Clock } from "@orchestrator/kernel/pure";
import type { HostResolver, OutboundPolicy } from "@orchestrator/outbound";
import type { Static, TLiteral, TObject, TProperties } from "typebox";
import { type ChangeSecret, mapSecretOptions, secretPaths } from "./secret-options.ts";

/** How checks reach the world. */
export interface CheckNetwork {
  readonly policy: OutboundPolicy;
  /**
   * Finds the addresses of hosts; the name servers and the hosts file of this machine unless
   * another is given.
   */
  readonly resolve?: HostResolver;
  /** Certificates (PEM) that are trusted instead of the well-known ones. */
  readonly authorities?: readonly string[] | undefined;
  /** Where large bodies are judged; without it they are judged in the event loop. */
  readonly compute?: Compute | undefined;
}

/** When the target called last. */
export interface HeartbeatCalls {
  readonly lastCallAt: string | null;
  /** Whether the target said of itself that it had failed. */
  readonly hasFailed: boolean;
  /** Since when calls are awaited: creation, or when the monitor was last enabled. */
  readonly awaitedSince: string;
  /**
   * By how much its call may come later, in microseconds, because the server could not hear
   * meanwhile.
   */
  readonly unheardMicros: number;
  /** The monitor's interval in seconds, which is the period when the check names none. */
  readonly interval: number;
}

export interface CheckTarget {
  /** The monitor's url, with its credentials if it has any. */
  readonly url: string;
  readonly heartbeat: HeartbeatCalls | null;
}

/** What one attempt is given. */
export interface CheckAttempt extends CheckNetwork {
  readonly resolve: HostResolver;
  readonly clock: Clock;
  /** Aborted when the time of the attempt is over, or the server stops. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Takes secrets out of a text; to be used before the text is cut. */
  readonly hide: (text: string) => string;
  /** What `hide` takes out. */
  readonly secrets: readonly string[];
}

export interface CheckOutcome {
  readonly status: MonitorStatus;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
  /**
   * Whether another attempt could end otherwise: the network failed, or the target said that it was
   * busy.
   */
  readonly isTransient: boolean;
  /** Whether nothing was heard from the target at all, so that our own network may be at fault. */
  readonly isUnreachable: boolean;
  readonly isAuthFailure: boolean;
  /**
   * Whether this server failed to judge what it heard, so that the outcome says nothing about the
   * target.
   */
  readonly isUndecided: boolean;
  /** Microseconds since 1970 at which the target's certificate ends. */
  readonly certificateEndsMicros: number | null;
}

/** What everybody can say of a check in a pipeline. */
export interface TypedConfig {
  readonly type: string;
}

/** A user and a password as they are meant. */
export interface CheckCredentials {
  readonly username: string;
  readonly password: string;
}

/** How people come to know of a type of check, and how a form asks for its options. */
export interface CheckForm<Options> {
  readonly title: string;
  /** What it does, in a line. */
  readonly about: string;
  /** The name of its icon in the web UI. */
  readonly icon: string;
  /** What is meant where an option is left out. */
  readonly defaults: Partial<Options>;
  /** What a form begins with. */
  readonly prefill?: Partial<Options>;
  /** What a form asks for, in its order. */
  readonly fields: readonly (CheckField & { readonly key: keyof Options })[];
}

/** How long one attempt may take, and how often a failed one is made again. */
export interface Attempts {
  readonly timeout_ms: number;
  readonly retries: number;
}

/** What is done with a check in a pipeline. */
export interface CheckType<Config extends TypedConfig = TypedConfig> {
  /** What is meant where its options leave this out; nothing for a type without such options. */
  readonly defaults: Partial<Attempts>;
  /** One attempt. What it throws is an error of the connection. */
  attempt(config: Config, target: CheckTarget, run: CheckAttempt): Promise<CheckOutcome>;
  /**
   * What else must appear in no message and no detail: what is sealed, written in another way, and
   * what is secret though it is not sealed.
   */
  secrets?(config: Config): readonly string[];
  /**
   * How often it is tried again when the configuration does not say; the default of its type unless
   * it depends.
   */
  retries?(config: Config): number;
  /** What is wrong with options that fit the schema, as it goes on after `check 1`. */
  problems?(config: Config): readonly string[];
  /**
   * The same with every option that is kept sealed replaced by what `change` makes of it, which is
   * told its place.
   */
  mapSecrets(config: Config, change: ChangeSecret): Config;
  /**
   * The same with the credentials of the monitor's url, where it signs in and has none of its own.
   */
  withCredentials?(config: Config, user: CheckCredentials): Config;
}

type CheckProperties = TProperties & { readonly type: TLiteral<string> };

/**
 * Options that are secret are those that the schema says; a type names others only where a schema
 * cannot say which.
 */
type GivenCheck<Config extends TypedConfig> = Omit<CheckType<Config>, "mapSecrets"> &
  Partial<Pick<CheckType<Config>, "mapSecrets">>;

/**
 * A type of check: its options, of which `type` is its name, how a form asks for them, and what is
 * done with them.
 */
export function defineCheck<Properties extends CheckProperties>(
  schema: TObject<Properties>,
  check: CheckForm<Omit<Static<TObject<Properties>>, "type">> &
    GivenCheck<Static<TObject<Properties>> & TypedConfig>,
) {
  const paths = secretPaths(schema);
  const mapSecrets: CheckType<Static<TObject<Properties>> & TypedConfig>["mapSecrets"] = (
    config,
    change,
  ) => {
    const mapped = mapSecretOptions(config, paths, change);
    return check.mapSecrets?.(mapped, change) ?? mapped;
  };
  return { type: schema.properties.type.const, schema, ...check, mapSecrets };
}
