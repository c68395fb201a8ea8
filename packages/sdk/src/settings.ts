// What the SDK reads from the environment. Address and key of the server are the client's affair.

import { homedir } from "node:os";
import { join } from "node:path";
import { isUnderTestRunner } from "./under-test-runner.ts";

type Env = Readonly<Record<string, string | undefined>>;

const LEVELS: Readonly<Record<string, number>> = {
  DEBUG: 10,
  INFO: 20,
  WARNING: 30,
  WARN: 30,
  ERROR: 40,
  CRITICAL: 50,
};

export interface SdkSettings {
  /** Where results, and states and logs that could not be delivered, are kept. */
  readonly home: string;
  /** Whether a flow may run although no server answers. Nothing of it is reported then. */
  readonly isOfflineAllowed: boolean;
  /** Whether runs of flows that are called are reported to a server. */
  readonly isReporting: boolean;
  /** Lines below this level are neither printed nor shipped. */
  readonly logLevel: number;
  readonly isLogPrinted: boolean;
  /**
   * How often a running flow says that it is alive; after three missed ones it counts as crashed.
   */
  readonly heartbeatSeconds: number;
  /**
   * How long the end of a flow run waits for a server that is away before it is left for a later
   * process.
   */
  readonly deliverySeconds: number;
  /** How long a process waits for an event or a time before it ends and the run is suspended. */
  readonly suspendAfterSeconds: number;
}

export function readSettings(env: Env = process.env): SdkSettings {
  return {
    home: env["ORCHESTRATOR_HOME"] ?? join(homedir(), ".orchestrator"),
    isOfflineAllowed: env["ORCHESTRATOR_OFFLINE"] === "allow",
    isReporting: isReporting(env),
    logLevel: LEVELS[(env["ORCHESTRATOR_SDK_LOG_LEVEL"] ?? "INFO").toUpperCase()] ?? 20,
    isLogPrinted: env["ORCHESTRATOR_SDK_LOG_PRINT"] !== "false",
    heartbeatSeconds: seconds(env, "ORCHESTRATOR_SDK_HEARTBEAT_SECONDS", 30),
    deliverySeconds: seconds(env, "ORCHESTRATOR_SDK_DELIVERY_SECONDS", 600),
    suspendAfterSeconds: seconds(env, "ORCHESTRATOR_SDK_SUSPEND_AFTER_SECONDS", 60),
  };
}

/** A test that calls a flow makes no runs on whatever server is within reach. */
function isReporting(env: Env): boolean {
  const text = env["ORCHESTRATOR_REPORT"] ?? "";
  if (text === "") return !isUnderTestRunner(env);
  if (text === "true" || text === "false") return text === "true";
  throw new Error(`ORCHESTRATOR_REPORT must be true or false, and is ${JSON.stringify(text)}`);
}

function seconds(env: Env, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name} must be a number of seconds above 0, and is ${JSON.stringify(text)}`);
}
