// How long a worker keeps runners, from its environment.

type Env = Readonly<Record<string, string | undefined>>;

export interface WarmSettings {
  /** Runs that one runner executes at most. */
  readonly maxRuns: number;
  readonly maxAgeSeconds: number;
  /** A runner that has taken more than this after a run is replaced. */
  readonly maxMemoryBytes: number;
  /** Runners that wait for a run, of all deployments together. */
  readonly maxIdle: number;
  readonly idleSeconds: number;
}

const MIB = 1024 * 1024;

export function readWarmSettings(env: Env = process.env): WarmSettings {
  return {
    maxRuns: number(env, "ORCHESTRATOR_WORKER_RUNNER_RUNS", 1000),
    maxAgeSeconds: number(env, "ORCHESTRATOR_WORKER_RUNNER_AGE_SECONDS", 3600),
    maxMemoryBytes: number(env, "ORCHESTRATOR_WORKER_RUNNER_MEMORY_MB", 512) * MIB,
    maxIdle: number(env, "ORCHESTRATOR_WORKER_IDLE_RUNNERS", 10),
    idleSeconds: number(env, "ORCHESTRATOR_WORKER_IDLE_RUNNER_SECONDS", 300),
  };
}

function number(env: Env, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${name} must be a number from 0 on, and is ${JSON.stringify(text)}`);
}
