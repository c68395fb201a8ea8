import { sleep } from "../clock/clock.ts";
import { AppError } from "../errors/app-error.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Work that is done again and again in the background. `tick` does one bounded pass and is what
 * tests call.
 */
export interface LoopDefinition {
  readonly name: string;
  readonly everyMs: number;
  /** Topics that call for a pass at once. */
  readonly wakeOn?: readonly string[];
  /**
   * `one`: among all replicas one runs it. `each`: every replica does, and the rows decide who gets
   * what.
   */
  readonly runs: "one" | "each";
  readonly tick: (signal: AbortSignal) => Promise<void>;
}

export interface LoopHealth {
  readonly name: string;
  /** Standing by: another replica holds the lease. */
  readonly status: "starting" | "ok" | "standby" | "failing" | "stopped";
  readonly passes: number;
  readonly failuresInARow: number;
  readonly lastError: string | null;
  readonly secondsSinceLastPass: number | null;
}

export interface LoopObserver {
  /** `lateSeconds`: how long after it was due the pass began; 0 when a nudge brought it forward. */
  readonly onPass: (name: string, seconds: number, lateSeconds: number) => void;
  readonly onFailure: (name: string) => void;
}

export interface LoopOptions {
  readonly log: Logger;
  readonly observer: LoopObserver;
  readonly mayRun: () => boolean;
  /** Between 0 and 1; spreads replicas and loops that would otherwise beat together. */
  readonly random: () => number;
}

const JITTER = 0.1;
const LEASE_LOOK_MS = 250;
/** Health is shown to whoever asks; what exactly went wrong is for the log. */
const UNEXPECTED = "An unexpected error, which the log describes";
const FIRST_BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 30_000;

/** A reason of its own: without one, every nudge would make an exception with its stack. */
const NUDGED = "nudged";

/**
 * Runs one definition: never two passes at once, slower after failures, at once when nudged,
 * drained on stop.
 */
export class Loop {
  readonly definition: LoopDefinition;
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #status: LoopHealth["status"] = "starting";
  #passes = 0;
  #failures = 0;
  #lastError: string | null = null;
  #lastPassAt: number | null = null;
  #due: number | null = null;

  constructor(definition: LoopDefinition, options: LoopOptions) {
    this.definition = definition;
    this.#options = options;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Asks for a pass now, or right after the one under way. */
  nudge(): void {
    this.#wake.abort(NUDGED);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort(NUDGED);
    await this.#done;
    this.#status = "stopped";
  }

  health(): LoopHealth {
    return {
      name: this.definition.name,
      status: this.#statusNow(),
      passes: this.#passes,
      failuresInARow: this.#failures,
      lastError: this.#lastError,
      secondsSinceLastPass:
        this.#lastPassAt === null ? null : (performance.now() - this.#lastPassAt) / 1000,
    };
  }

  /** A lease can be lost long before the next pass would notice. */
  #statusNow(): LoopHealth["status"] {
    const hasRun = this.#status === "ok" || this.#status === "failing";
    return hasRun && !this.#options.mayRun() ? "standby" : this.#status;
  }

  async #run(): Promise<void> {
    const stopped = this.#stopping.signal;
    while (!stopped.aborted) {
      this.#wake = new AbortController();
      let due = performance.now() + this.#pauseMs();
      if (this.#options.mayRun()) await this.#pass();
      else this.#status = "standby";
      if (stopped.aborted) break;
      if (this.#failures > 0) {
        due = performance.now() + this.#pauseMs();
        // A stream of nudges may shorten a back-off but not turn failing passes into a busy loop.
        await sleep(FIRST_BACK_OFF_MS, stopped);
      }
      this.#due = due;
      await sleep(Math.max(0, due - performance.now()), this.#wake.signal);
    }
  }

  async #pass(): Promise<void> {
    const { name, tick } = this.definition;
    const started = performance.now();
    const lateMs = this.#due === null ? 0 : started - this.#due;
    try {
      await this.#untilMayNot(tick);
      this.#failures = 0;
      this.#lastError = null;
      this.#status = "ok";
    } catch (error) {
      this.#failures += 1;
      this.#lastError = error instanceof AppError ? error.message : UNEXPECTED;
      this.#status = "failing";
      this.#options.observer.onFailure(name);
      this.#options.log.error(
        { err: error, loop: name, failures: this.#failures },
        "A background pass failed",
      );
    }
    this.#passes += 1;
    this.#lastPassAt = performance.now();
    this.#options.observer.onPass(
      name,
      (this.#lastPassAt - started) / 1000,
      Math.max(0, lateMs) / 1000,
    );
  }

  /** A pass is told to end when the loop is, and when its lease has passed to another replica. */
  async #untilMayNot(tick: LoopDefinition["tick"]): Promise<void> {
    const pass = new AbortController();
    const end = (): void => pass.abort();
    const stopped = this.#stopping.signal;
    stopped.addEventListener("abort", end, { once: true });
    const watch = setInterval(() => {
      if (!this.#options.mayRun()) end();
    }, LEASE_LOOK_MS);
    try {
      await tick(pass.signal);
    } finally {
      clearInterval(watch);
      stopped.removeEventListener("abort", end);
    }
  }

  #pauseMs(): number {
    const jitter = 1 - JITTER + 2 * JITTER * this.#options.random();
    if (this.#failures === 0) return this.definition.everyMs * jitter;
    const backOff = FIRST_BACK_OFF_MS * 2 ** Math.min(this.#failures - 1, 10);
    return Math.min(backOff, MAX_BACK_OFF_MS) * jitter;
  }
}
