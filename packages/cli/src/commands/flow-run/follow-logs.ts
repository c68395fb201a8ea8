import type { Log, LogFilter, Static } from "@orchestrator/contract";
import { waitUnlessAborted } from "../../io/interrupt.ts";
import type { CliSession } from "../../io/session.ts";

type Show = (row: Log) => void;

interface Following {
  readonly show: Show;
  /** Whether the lines that are there come first. */
  readonly backfill: boolean;
  /** The run has ended: what is stored is still shown. */
  readonly ended: AbortSignal;
  /** Nobody looks any more. */
  readonly signal: AbortSignal;
}

/** Lines are stored later than they are written, the last of them after the run has ended. */
const LATE_MS = 30_000;
const SETTLE_MS = 1000;

/** Shows each line once, however often it comes. */
export function printOnce(show: Show): Show {
  const seen = new Set<string>();
  return (row) => {
    if (seen.has(row.id)) return;
    seen.add(row.id);
    show(row);
  };
}

/** Shows lines as they are stored, and after the end those that were not shown yet. */
export async function followLogs(
  { client }: CliSession,
  filter: Static<typeof LogFilter>,
  { show, backfill, ended, signal }: Following,
): Promise<void> {
  const began = new Date(Date.now() - LATE_MS).toISOString();
  const either = AbortSignal.any([signal, ended]);
  // The server has answered before, so one that is away now is waited for.
  const patiently = { backfill, signal: either, retries: Number.POSITIVE_INFINITY };
  try {
    for await (const row of client.logs.follow(filter, patiently)) show(row);
  } catch (error) {
    if (!either.aborted) throw error;
  }
  await waitUnlessAborted(SETTLE_MS, signal);
  if (signal.aborted) return;
  const rest = backfill ? filter : { ...filter, timestamp: { after_: began } };
  for await (const row of client.logs.each({ logs: rest, sort: "TIMESTAMP_ASC" })) show(row);
}

interface Ways {
  readonly follow: (ended: AbortSignal, signal: AbortSignal) => Promise<void>;
  readonly untilEnded: (signal: AbortSignal) => Promise<void>;
}

/**
 * Follows the lines of a run for as long as its end is waited for. What breaks the one ends the
 * other as well, and is thrown.
 */
export async function followToEnd(
  { follow, untilEnded }: Ways,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const broken = new AbortController();
  const either = AbortSignal.any([signal, broken.signal]);
  const following = follow(ended.signal, either);
  following.catch((error: unknown) => broken.abort(error));
  try {
    await untilEnded(either);
    ended.abort(new Error("The run has ended"));
    await following;
  } catch (error) {
    broken.abort(error);
    throw error;
  }
}
