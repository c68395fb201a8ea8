// A worker: asks for the runs of a pool that are due and carries them out, so many at once as it
// may.

import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { makePrivateFolder } from "@orchestrator/client/settings";
import { errorSummary } from "../errors.ts";
import { newId } from "../ids.ts";
import { nextDelayMs } from "../report/back-off.ts";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import { openSession } from "../report/session.ts";
import { nowMs, sleepOrAbort } from "../time.ts";
import { type Claimed, claimedRuns } from "./claimed.ts";
import { carryOutClaimed, executeJob } from "./execute-job.ts";
import { JobRecords } from "./job-records.ts";
import { CodeCache } from "./pull/code-cache.ts";
import type { JobRunner } from "./runner.ts";
import { tearDownInfrastructure } from "./tear-down.ts";
import { ensurePool, startWorkerHeartbeats } from "./worker-pool.ts";
import type { WorkerScope } from "./worker-scope.ts";

const POLL_SECONDS = 30;
const HEARTBEAT_SECONDS = 30;
const GRACE_SECONDS = 30;
const DRAIN_SECONDS = 30;
const LIMIT = 10;
/** The server gives out no more at once. */
const MAX_DUE = 200;
/** What was offered and not claimed yet would be offered again at once. */
const BETWEEN_POLLS_MS = 20;
const NOTHING_NEW_MS = 1000;
const LAST_WORDS_MS = 3000;
const FOREVER_SECONDS = 100 * 365 * 86_400;
const NOT_THERE = 404;
const HEALTHY_MS = 3 * POLL_SECONDS * 1000;

export interface WorkerOptions {
  readonly pool: string;
  /** @default one that says on which machine it runs */
  readonly name?: string;
  /** How many runs are carried out at once. @default 10 */
  readonly limit?: number;
  /** Only from these queues. @default all of the pool's */
  readonly queues?: readonly string[];
  /** How long a job that is told to end may take before it is killed. @default 30 */
  readonly graceSeconds?: number;
  /** How long jobs that run when the worker is stopped may go on. @default 30 */
  readonly drainSeconds?: number;
  /**
   * Whether runs whose jobs a stop had to end are scheduled again; otherwise they are crashed.
   * @default false
   */
  readonly reschedules?: boolean;
  /** @default 30 */
  readonly heartbeatSeconds?: number;
  /** Hears what the worker does. */
  readonly tell?: (text: string) => void;
  /** Is given each line that a job prints. */
  readonly show?: (flowRunName: string, text: string) => void;
}

export interface RunningWorker {
  readonly name: string;
  /** How many runs it has under way. */
  readonly underWay: () => number;
  /** Whether the server has answered it of late. */
  readonly isHealthy: () => boolean;
  /** Takes no more runs, waits for those under way as long as they may go on, then ends them. */
  readonly stop: () => Promise<void>;
  /** Kills everything now. */
  readonly kill: () => Promise<void>;
}

/** Starts a worker; a server that is away is waited for. */
export async function startWorker(
  runner: JobRunner,
  options: WorkerOptions,
): Promise<RunningWorker> {
  const worker = new Worker(runner, options);
  await worker.start();
  return worker;
}

class Worker implements RunningWorker {
  readonly name: string;
  readonly #scope: WorkerScope;
  readonly #options: WorkerOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();
  #answeredMs = 0;
  /** Older servers hand runs out, and each is claimed by a request of its own. */
  #canClaim = true;
  #polling: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | null = null;
  #endHeartbeats: () => void = () => {};
  #onRoom: () => void = () => {};

  constructor(runner: JobRunner, options: WorkerOptions) {
    const session = openSession();
    // Each job listens to all of them.
    setMaxListeners(0, this.#stopping.signal, this.#ending.signal, this.#killing.signal);
    this.name = options.name ?? `${hostname()}-${newId().slice(-8)}`;
    this.#options = options;
    const server = createHash("sha256").update(session.url).digest("hex").slice(0, 16);
    this.#scope = {
      session,
      runner,
      poolName: options.pool,
      workerName: this.name,
      graceSeconds: options.graceSeconds ?? GRACE_SECONDS,
      reschedules: options.reschedules ?? false,
      notes: new JobRecords(makePrivateFolder(session.settings.home, "jobs", server)),
      code: new CodeCache(session.settings.home),
      stopping: this.#stopping.signal,
      ending: this.#ending.signal,
      killing: this.#killing.signal,
      tell: options.tell ?? (() => {}),
      show: options.show ?? null,
    };
  }

  async start(): Promise<void> {
    const { session, runner, poolName, tell } = this.#scope;
    let hasWaited = false;
    const prepare = async (): Promise<void> => {
      try {
        await ensurePool(session.client, poolName, runner);
      } catch (error) {
        if (!hasWaited) tell(`The server at ${session.url} is waited for: ${errorSummary(error)}`);
        hasWaited = true;
        throw error;
      }
    };
    await retryUntilAnswered(prepare, { seconds: FOREVER_SECONDS, signal: this.#stopping.signal });
    this.#answeredMs = nowMs();
    const seconds = this.#options.heartbeatSeconds ?? HEARTBEAT_SECONDS;
    const beats = { poolName, workerName: this.name, seconds, tell };
    const { cancel } = startWorkerHeartbeats(session.client, beats);
    this.#endHeartbeats = cancel;
    tearDownInfrastructure(this.#scope).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted)
        tell(`Clearing up behind an earlier worker failed: ${errorSummary(error)}`);
    });
    this.#polling = this.#poll();
  }

  underWay(): number {
    return this.#underWay.size;
  }

  isHealthy(): boolean {
    return this.#isFull() || nowMs() - this.#answeredMs < HEALTHY_MS;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  async kill(): Promise<void> {
    this.#stopping.abort(new Error("The worker is killed"));
    this.#ending.abort(new Error("The worker is killed"));
    this.#killing.abort(new Error("The worker is killed"));
    await this.#untilIdle(LAST_WORDS_MS);
    this.#scope.runner.close?.();
  }

  async #drain(): Promise<void> {
    const { session, poolName, tell } = this.#scope;
    this.#stopping.abort(new Error("The worker is stopped"));
    await this.#polling;
    const drainSeconds = this.#options.drainSeconds ?? DRAIN_SECONDS;
    const count = this.#underWay.size;
    if (count > 0) tell(`${count} under way; they may go on for ${drainSeconds} s`);
    await this.#untilIdle(drainSeconds * 1000);
    this.#ending.abort(new Error("The worker is stopped"));
    // Jobs have their grace. A server that is away is not waited for: the next worker tells of what
    // is left.
    await this.#untilIdle(this.#scope.graceSeconds * 1000 + LAST_WORDS_MS);
    this.#killing.abort(new Error("The worker is stopped"));
    await this.#untilIdle(LAST_WORDS_MS);
    this.#scope.runner.close?.();
    this.#endHeartbeats();
    await session.flush(LAST_WORDS_MS);
    await session.client.workers.delete(poolName, this.name, { retries: 0 }).catch(() => {});
  }

  /** Resolves when nothing is under way any more, or the time is over. */
  async #untilIdle(ms: number): Promise<void> {
    const over = new AbortController();
    const all = Promise.all(this.#underWay.values());
    await Promise.race([all, sleepOrAbort(ms, over.signal).catch(() => {})]);
    over.abort(new Error("done"));
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    const { tell } = this.#scope;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (this.#isFull()) await this.#untilRoom();
        else await this.#takeDueRuns();
        if (failures > 0) tell("The server answers again");
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (failures === 1) tell(`No runs could be asked for: ${errorSummary(error)}`);
        if (hasStatus(error, NOT_THERE)) failures += 5;
        await sleepOrAbort(nextDelayMs(failures), signal).catch(() => {});
      }
    }
  }

  async #takeDueRuns(): Promise<void> {
    const { session, poolName, stopping } = this.#scope;
    const { queues = [] } = this.#options;
    const poll = {
      limit: Math.min(this.#limit() - this.#underWay.size, MAX_DUE),
      wait_seconds: POLL_SECONDS,
      ...(queues.length > 0 && { work_queue_names: [...queues] }),
    };
    if (this.#canClaim) {
      const claims = await session.client.workPools
        .claim(poolName, { ...poll, worker_name: this.name }, { retries: 0, signal: stopping })
        .catch((error: unknown) => {
          if (hasStatus(error, NOT_THERE)) return null;
          throw error;
        });
      if (claims !== null) {
        this.#answeredMs = nowMs();
        for (const claimed of claimedRuns(claims)) this.#takeClaimed(claimed);
        return;
      }
    }
    // Where the pool is missing this fails as well, and says so.
    await this.#takeOffers(poll);
    this.#canClaim = false;
  }

  async #takeOffers(poll: { readonly limit: number }): Promise<void> {
    const { session, poolName, stopping } = this.#scope;
    const due = await session.client.workPools.poll(poolName, poll, {
      retries: 0,
      signal: stopping,
    });
    this.#answeredMs = nowMs();
    const fresh = due
      .slice(0, poll.limit)
      .filter(({ flow_run }) => !this.#underWay.has(flow_run.id));
    for (const { flow_run } of fresh) this.#take(flow_run, executeJob(this.#scope, flow_run));
    if (due.length > 0)
      await sleepOrAbort(fresh.length > 0 ? BETWEEN_POLLS_MS : NOTHING_NEW_MS, stopping);
  }

  /** A run may come back while this worker still ends its last job: one after the other. */
  #takeClaimed(claimed: Claimed): void {
    const before = this.#underWay.get(claimed.run.id) ?? null;
    const begin = () => carryOutClaimed(this.#scope, claimed);
    this.#take(claimed.run, before === null ? begin() : before.then(begin));
  }

  #take(
    { id, name }: { readonly id: string; readonly name: string },
    carried: Promise<void>,
  ): void {
    const { tell, killing, stopping } = this.#scope;
    const work: Promise<void> = carried
      .catch((error: unknown) => {
        if (!killing.aborted && !stopping.aborted) tell(`${name}: ${errorSummary(error)}`);
      })
      .finally(() => {
        if (this.#underWay.get(id) === work) this.#underWay.delete(id);
        this.#onRoom();
      });
    this.#underWay.set(id, work);
  }

  #limit(): number {
    return Math.floor(this.#options.limit ?? LIMIT);
  }

  #isFull(): boolean {
    return this.#underWay.size >= this.#limit();
  }

  /**
   * Told, not raced for: a promise of a long job would remember everybody who ever waited for it.
   */
  #untilRoom(): Promise<void> {
    const { stopping } = this.#scope;
    return new Promise((resolve) => {
      if (stopping.aborted || !this.#isFull()) {
        resolve();
        return;
      }
      const done = (): void => {
        this.#onRoom = () => {};
        stopping.removeEventListener("abort", done);
        resolve();
      };
      this.#onRoom = done;
      stopping.addEventListener("abort", done, { once: true });
    });
  }
}
