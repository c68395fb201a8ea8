// Whether the server answers. As long as all goes well nobody asks; a request or a socket that
// fails makes it looked at.
import { ApiError, ConnectionError, TimeoutError } from "@orchestrator/client";
import { useSyncExternalStore } from "react";
import { SERVICES } from "./services.ts";

const HEALTH = SERVICES.orchestrator ? "/api/health" : "/uptime/api/health";
const LOOK_MS = 2000;
const PATIENCE_MS = 5000;
/** What a proxy says for a server that is not there. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

let awaySince: number | undefined;
let looking: Promise<void> | undefined;
const listeners = new Set<() => void>();

/**
 * An answer that is no yes is an answer; only where none came it is looked whether the server is
 * there.
 */
export function noticeFailure(error: unknown): void {
  const isSilence =
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && AWAY.has(error.status));
  if (isSilence) void waitForServer();
}

/** Resolves when the server answers. */
export function waitForServer(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined;
  });
  return looking;
}

async function look(): Promise<void> {
  while (!(await answers())) {
    tell(awaySince ?? Date.now());
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  tell(undefined);
}

async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { status } = await fetch(HEALTH, { cache: "no-store", signal });
    return !AWAY.has(status);
  } catch {
    return false;
  }
}

function tell(since: number | undefined): void {
  if (since === awaySince) return;
  awaySince = since;
  for (const listener of listeners) listener();
}

/** Undefined while it answers. */
export const useAwaySince = (): number | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => awaySince,
  );
