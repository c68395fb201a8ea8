// Keeps the log short in an outage: every request and every loop fails then, and each would say so.

import type { Logger } from "pino";
import { sleep } from "../clock/clock.ts";
import { isAppError } from "../errors/app-error.ts";
import { StorageAwayError } from "../errors/storage-away.ts";

const LINE_EVERY_MS = 60_000;
const PROBE_EVERY_MS = 1000;
/** Refusals have fixed messages; this only bounds the memory if one should not. */
const MAX_MESSAGES = 100;

interface Outage {
  readonly since: number;
  reason: string;
  leftOut: number;
  /** The outage has a line of its own in the log. */
  isReported: boolean;
}

export interface OutageWatch {
  readonly log: Logger;
  /** Rejects while the storage is away. */
  readonly probe: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/**
 * One line when the storage goes, one a minute, one when it is back; other refusals under load, one
 * a minute each.
 */
export class OutageLog {
  #watch: OutageWatch | null = null;
  #outage: Outage | null = null;
  #reportedAt = Number.NEGATIVE_INFINITY;
  readonly #refusedAt = new Map<string, number>();

  /** To be called when the storage is open; until then every line is written. */
  watch(watch: OutageWatch): void {
    this.#watch = watch;
  }

  /** Whether a line about this error is to be left out. */
  covers(error: unknown): boolean {
    if (this.#watch === null || !(error instanceof Error)) return false;
    const away = storageAwayIn(error);
    if (away !== null) {
      this.#note(away, this.#watch);
      return true;
    }
    return isAppError(error, "unavailable") && this.#isRepeated(error.message);
  }

  #isRepeated(message: string): boolean {
    const now = performance.now();
    const at = this.#refusedAt.get(message) ?? Number.NEGATIVE_INFINITY;
    if (now - at < LINE_EVERY_MS) return true;
    if (this.#refusedAt.size >= MAX_MESSAGES) this.#refusedAt.clear();
    this.#refusedAt.set(message, now);
    return false;
  }

  #note(away: StorageAwayError, watch: OutageWatch): void {
    if (this.#outage !== null) {
      this.#outage.leftOut += 1;
      return;
    }
    const reason = reasonOf(away);
    this.#outage = { since: performance.now(), reason, leftOut: 1, isReported: false };
    this.#report(watch.log);
    void this.#follow(watch, this.#outage);
  }

  async #follow({ log, probe, signal }: OutageWatch, outage: Outage): Promise<void> {
    while (!signal.aborted) {
      await sleep(PROBE_EVERY_MS, signal);
      const failure = await probe().then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) break;
      if (failure instanceof StorageAwayError) outage.reason = reasonOf(failure);
      if (!signal.aborted) this.#report(log);
    }
    this.#outage = null;
    if (outage.isReported && !signal.aborted) log.warn(figuresOf(outage), "The storage is back");
  }

  #report(log: Logger): void {
    const outage = this.#outage;
    if (outage === null || performance.now() - this.#reportedAt < LINE_EVERY_MS) return;
    this.#reportedAt = performance.now();
    const { isReported, reason } = outage;
    outage.isReported = true;
    log.error(
      isReported ? figuresOf(outage) : {},
      `The storage is ${isReported ? "still " : ""}away, and requests that need it are answered 503: ${reason}`,
    );
  }
}

const figuresOf = ({ since, leftOut }: Outage) => ({
  seconds: Math.round((performance.now() - since) / 1000),
  lines_left_out: leftOut,
});

function storageAwayIn(error: Error): StorageAwayError | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof StorageAwayError) return at;
  return null;
}

function reasonOf({ message, cause }: StorageAwayError): string {
  const detail = cause instanceof AggregateError ? cause.errors[0] : cause;
  return detail instanceof Error && detail.message !== ""
    ? `${message} (${detail.message})`
    : message;
}
