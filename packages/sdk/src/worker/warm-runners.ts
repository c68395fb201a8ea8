// The warm runners of a worker, by the version of the code that they have loaded.

import { freemem, totalmem } from "node:os";
import { type Alarm, nowMs, runAfter } from "../time.ts";
import { identifierOf } from "./process-job.ts";
import type { OnLine, OnPlaced, RunningJob, WorkerJob } from "./runner.ts";
import { WarmProcess } from "./warm-process.ts";
import type { WarmSettings } from "./warm-settings.ts";
import type { WarmVersion } from "./warm-version.ts";

/** Runs of a version within this time are a demand for a runner in reserve. */
const DEMAND_MS = 60_000;
/** Less free memory than this share takes no runner in reserve. */
const LEAST_FREE = 0.1;

interface Idle {
  readonly runner: WarmProcess;
  readonly expiry: Alarm;
}

interface Demand {
  lastMs: number;
  isHigh: boolean;
}

export interface RunListeners {
  readonly onLine: OnLine;
  readonly onPlaced: OnPlaced;
}

export class WarmRunners {
  readonly #settings: WarmSettings;
  /** The one that has waited longest first. */
  #idle: Idle[] = [];
  readonly #starting = new Set<string>();
  readonly #demand = new Map<string, Demand>();
  #isClosed = false;

  constructor(settings: WarmSettings) {
    this.#settings = settings;
  }

  /** Executes a run in a runner that waits, or else in a new one. */
  async start(job: WorkerJob, version: WarmVersion, listeners: RunListeners): Promise<RunningJob> {
    this.#isClosed = false;
    this.#noteDemand(version.key);
    const runner = this.#take(version.key) ?? (await this.#launch(version));
    try {
      listeners.onPlaced({ identifier: identifierOf(runner.pid), pid: runner.pid });
    } catch (error) {
      runner.retire();
      throw error;
    }
    const running = runner.execute(job, listeners.onLine, () => this.#giveBack(runner));
    this.#reserve(version);
    return running;
  }

  async #launch(version: WarmVersion): Promise<WarmProcess> {
    const runner = await WarmProcess.start(version);
    void runner.ended.then(() => {
      this.#forget(runner);
      this.#reserve(version);
    });
    return runner;
  }

  /** Ends the runners that wait. Those that have a run end after it. */
  close(): void {
    this.#isClosed = true;
    for (const { runner, expiry } of this.#idle.splice(0)) {
      expiry.cancel();
      runner.retire();
    }
    this.#demand.clear();
  }

  #take(key: string): WarmProcess | null {
    for (;;) {
      const place = this.#idle.findLastIndex(({ runner }) => runner.version.key === key);
      const [found] = place === -1 ? [] : this.#idle.splice(place, 1);
      if (found === undefined) return null;
      found.expiry.cancel();
      if (found.runner.isFit()) {
        found.runner.hold(true);
        return found.runner;
      }
      found.runner.retire();
    }
  }

  #giveBack(runner: WarmProcess): void {
    const { maxRuns, maxAgeSeconds, maxMemoryBytes } = this.#settings;
    const { runs, ageMs, memoryBytes } = runner.usage();
    const isWorn = runs >= maxRuns || ageMs >= maxAgeSeconds * 1000 || memoryBytes > maxMemoryBytes;
    if (this.#isClosed || isWorn) runner.retire();
    else this.#wait(runner);
  }

  #wait(runner: WarmProcess): void {
    const { maxIdle, idleSeconds } = this.#settings;
    const expiry = runAfter(idleSeconds * 1000, () => {
      this.#forget(runner);
      runner.retire();
    });
    runner.hold(false);
    this.#idle.push({ runner, expiry });
    while (this.#idle.length > maxIdle) {
      const oldest = this.#idle.shift();
      oldest?.expiry.cancel();
      oldest?.runner.retire();
    }
  }

  #forget(runner: WarmProcess): void {
    this.#idle.find((each) => each.runner === runner)?.expiry.cancel();
    this.#idle = this.#idle.filter((each) => each.runner !== runner);
  }

  #noteDemand(key: string): void {
    const now = nowMs();
    const last = this.#demand.get(key);
    this.#demand.delete(key);
    this.#demand.set(key, {
      lastMs: now,
      isHigh: last !== undefined && now - last.lastMs < DEMAND_MS,
    });
    // Versions that nobody asks for any more are forgotten.
    for (const [other, { lastMs }] of this.#demand) {
      if (now - lastMs < DEMAND_MS) break;
      this.#demand.delete(other);
    }
  }

  /** Starts a runner for the next run of a version that is in demand and has none left. */
  #reserve(version: WarmVersion): void {
    const { key } = version;
    const demand = this.#demand.get(key);
    const isWanted = demand?.isHigh === true && nowMs() - demand.lastMs < DEMAND_MS;
    const hasOne = this.#idle.some(({ runner }) => runner.version.key === key);
    if (this.#isClosed || !isWanted || hasOne || this.#starting.has(key)) return;
    if (this.#idle.length >= this.#settings.maxIdle || isShortOfMemory()) return;
    this.#starting.add(key);
    this.#launch(version)
      .then(
        (runner) => (this.#isClosed ? runner.retire() : this.#wait(runner)),
        () => {}, // a run that needs one says why there is none
      )
      .finally(() => this.#starting.delete(key));
  }
}

const isShortOfMemory = (): boolean => freemem() < totalmem() * LEAST_FREE;
