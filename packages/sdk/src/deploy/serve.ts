// A process that carries out the runs of deployments itself: it asks for those that are due, claims
// and executes them.

import { setMaxListeners } from "node:events";
import type { FlowRun } from "@orchestrator/contract";
import { errorSummary, RunStoppedError, TerminatedError } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";
import { nextDelayMs } from "../report/back-off.ts";
import { hasStatus } from "../report/connection.ts";
import { openSession, type ReportSession } from "../report/session.ts";
import { executeRecord } from "../run/execute-record.ts";
import type { FlowDefinition } from "../run/flow-run.ts";
import { logUnreported } from "../run/log-unreported.ts";
import { proposeState } from "../run/propose.ts";
import { sleepOrAbort } from "../time.ts";
import { type DeploymentOptions, putDeployment } from "./deployment.ts";

export interface ServeOptions extends DeploymentOptions {
  /** How many runs are executed at once. @default 10 */
  readonly limit?: number | undefined;
  /** Whether the deployment makes no runs while nobody serves it. @default true */
  readonly pauseOnStop?: boolean | undefined;
  /** Whether SIGINT and SIGTERM stop it. @default true */
  readonly stopOnSignals?: boolean | undefined;
}

/** A flow that is being served. */
export interface Served {
  readonly deploymentId: string;
  /**
   * Takes no more runs and waits for those under way; after the grace they are ended as crashed.
   */
  readonly stop: (graceSeconds?: number) => Promise<void>;
  /** Resolves when it was stopped. */
  readonly finished: Promise<void>;
}

const LIMIT = 10;
const POLL_SECONDS = 30;
/** The server gives no more at once. */
const MAX_POLLED = 200;
const NOT_THERE = 404;
const GRACE_SECONDS = 30;
const UNCLAIMED_MS = 50;
/** For runs that are offered while this process still has them from before. */
const UNDER_WAY_MS = 1000;

/**
 * Makes a deployment of the flow, or changes the one of the name, and executes its runs in this
 * process.
 */
export async function serveFlow(
  definition: FlowDefinition,
  options: ServeOptions,
): Promise<Served> {
  const session = openSession();
  const infrastructure = { work_pool_name: null, work_queue_name: null };
  const deploymentId = await putDeployment(session, definition, { options, infrastructure });
  const log = scopeLogger(null);
  log.info(`Serving ${definition.name}/${options.name}`);
  const server = new RunServer({
    session,
    definition,
    deploymentId,
    limit: Math.floor(options.limit ?? LIMIT),
  });
  let stopping: Promise<void> | null = null;
  const halt = async (graceSeconds: number): Promise<void> => {
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    await server.stop(graceSeconds);
    if (options.pauseOnStop ?? true) {
      await session.client.deployments
        .update(deploymentId, { paused: true })
        .catch((error: unknown) => log.warn(`The deployment stays active: ${errorSummary(error)}`));
    }
    await session.flush(session.settings.deliverySeconds * 1000);
  };
  const stop = (graceSeconds = GRACE_SECONDS): Promise<void> => (stopping ??= halt(graceSeconds));
  const onSignal = (): void => void stop();
  if (options.stopOnSignals ?? true) for (const signal of SIGNALS) process.on(signal, onSignal);
  const finished = server.run().then(() => stopping ?? undefined);
  return { deploymentId, stop, finished };
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

interface PollOfDeployment {
  readonly deployment_ids: string[];
  readonly limit: number;
  readonly wait_seconds: number;
}

interface RunServerOptions {
  readonly session: ReportSession;
  readonly definition: FlowDefinition;
  readonly deploymentId: string;
  readonly limit: number;
}

class RunServer {
  readonly #options: RunServerOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #polling = new AbortController();
  readonly #runs = new AbortController();
  /** Older servers hand runs out, and each is claimed by a request of its own. */
  #canClaim = true;

  /** A single slot: a promise of a long run would hold everything that ever waited for it. */
  #onRoom: () => void = () => {};

  constructor(options: RunServerOptions) {
    this.#options = options;
    // Each run listens.
    setMaxListeners(0, this.#polling.signal, this.#runs.signal);
  }

  async run(): Promise<void> {
    const { signal } = this.#polling;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (this.#underWay.size >= this.#options.limit) await this.#untilRoom();
        else await this.#takeDueRuns();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        scopeLogger(null).warn(`No runs could be asked for: ${errorSummary(error)}`);
        await sleepOrAbort(nextDelayMs(failures), signal).catch(() => {});
      }
    }
  }

  async stop(graceSeconds: number): Promise<void> {
    this.#polling.abort(new Error("It was stopped"));
    const done = new AbortController();
    const all = Promise.all(this.#underWay.values());
    await Promise.race([all, sleepOrAbort(graceSeconds * 1000, done.signal).catch(() => {})]);
    done.abort(new Error("done"));
    this.#runs.abort(new TerminatedError("The process that served the flow was stopped"));
    await Promise.all(this.#underWay.values());
  }

  async #takeDueRuns(): Promise<void> {
    const { session, deploymentId, limit } = this.#options;
    const room = limit - this.#underWay.size;
    const poll = {
      deployment_ids: [deploymentId],
      limit: Math.min(room, MAX_POLLED),
      wait_seconds: POLL_SECONDS,
    };
    if (this.#canClaim) {
      const claims = await session.client.deployments
        .claim(poll, { retries: 0, signal: this.#polling.signal })
        .catch((error: unknown) => {
          if (hasStatus(error, NOT_THERE)) return null;
          throw error;
        });
      if (claims !== null) {
        for (const { flow_run, state } of claims) this.#take({ ...flow_run, state });
        return;
      }
    }
    this.#canClaim = false;
    await this.#takeOffers(poll);
  }

  /** A run may come back while this process still ends it: one after the other. */
  #take(record: FlowRun): void {
    const before = this.#underWay.get(record.id);
    const execute = () => this.#execute(record);
    this.#track(record.id, before === undefined ? execute() : before.then(execute));
  }

  #track(id: string, execution: Promise<void>): void {
    const work: Promise<void> = execution.finally(() => {
      if (this.#underWay.get(id) === work) this.#underWay.delete(id);
      this.#onRoom();
    });
    this.#underWay.set(id, work);
  }

  async #takeOffers(poll: PollOfDeployment): Promise<void> {
    const { session } = this.#options;
    const room = poll.limit;
    const due = await session.client.deployments.poll(poll, {
      retries: 0,
      signal: this.#polling.signal,
    });
    const fresh = due.slice(0, room).filter(({ id }) => !this.#underWay.has(id));
    for (const record of fresh) this.#track(record.id, this.#carryOut(record));
    // What was offered and not claimed yet would be offered again at once.
    if (due.length > 0) {
      await sleepOrAbort(fresh.length > 0 ? UNCLAIMED_MS : UNDER_WAY_MS, this.#polling.signal);
    }
  }

  #untilRoom(): Promise<void> {
    const { signal } = this.#polling;
    return new Promise((resolve) => {
      const done = (): void => {
        this.#onRoom = () => {};
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (signal.aborted) resolve();
      else {
        this.#onRoom = done;
        signal.addEventListener("abort", done, { once: true });
      }
    });
  }

  async #carryOut(record: FlowRun): Promise<void> {
    const { session } = this.#options;
    try {
      const verdict = await proposeState(session.client, {
        flowRunId: record.id,
        state: { type: "PENDING" },
        patienceSeconds: POLL_SECONDS,
        signal: this.#polling.signal,
      });
      if (verdict.kind !== "accepted" || verdict.state.type !== "PENDING") return;
      await this.#execute({ ...record, state: verdict.state });
    } catch (error) {
      logUnreported(record.name, error);
    }
  }

  async #execute(record: FlowRun): Promise<void> {
    const { session, definition } = this.#options;
    try {
      await executeRecord(session, definition, { record, parent: this.#runs.signal });
    } catch (error) {
      if (error instanceof RunStoppedError) scopeLogger(null).info(error.message);
      else logUnreported(record.name, error);
    }
  }
}
