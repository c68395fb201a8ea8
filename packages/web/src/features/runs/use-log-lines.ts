import { ApiError } from "@orchestrator/client";
import type { Log, LogFilter, Static } from "@orchestrator/contract";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";

const SHOW_MS = 150;
/**
 * The newest so many are kept, twice as many for who reads earlier ones: a run may have written
 * millions. All of them can be downloaded.
 */
const MOST = 10_000;
/**
 * With so many it begins. Fewer where the lines are so long that the server would rather not send
 * as many at once.
 */
const AT_FIRST = [5000, 500, 50];

export interface LoadedLogLines {
  readonly lines: readonly Log[];
  readonly isCut: boolean;
  readonly error: string | undefined;
}

/**
 * The lines of a run: those that are there, and those that come. Many that come at once are shown
 * at once.
 */
export function useLogLines(
  runId: string,
  filter: { readonly level: number; readonly task: string },
  isFollowing: boolean,
): LoadedLogLines {
  const most = useRef(MOST);
  useEffect(() => {
    most.current = isFollowing ? MOST : 2 * MOST;
  }, [isFollowing]);
  const [lines, setLines] = useState<readonly Log[]>([]);
  const [isCut, setCut] = useState(false);
  const [error, setError] = useState<string>();
  const { level, task } = filter;
  useEffect(() => {
    const ending = new AbortController();
    let waiting: Log[] = [];
    setLines([]);
    setCut(false);
    setError(undefined);
    const timer = setInterval(() => {
      if (waiting.length === 0) return;
      const arrived = waiting;
      waiting = [];
      setLines((before) => {
        const all = merged(before, arrived);
        if (all.length > most.current) setCut(true);
        return all.slice(-most.current);
      });
    }, SHOW_MS);
    const follow = async () => {
      const conditions = {
        flow_run_id: { any_: [runId] },
        level: { ge_: level },
        ...(task === "" ? {} : { task_run_id: { any_: [task] } }),
      };
      const { signal } = ending;
      const first = async () => {
        const newest = await newestLines(conditions, signal);
        setCut(newest.isCut);
        return newest.lines;
      };
      for await (const line of api.logs.follow(conditions, { first, signal })) waiting.push(line);
    };
    follow().catch((reason: unknown) => {
      if (!ending.signal.aborted)
        setError(reason instanceof Error ? reason.message : String(reason));
    });
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [runId, level, task]);
  return { lines, isCut, error };
}

async function newestLines(
  logs: Static<typeof LogFilter>,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly Log[]; readonly isCut: boolean }> {
  for (const limit of AT_FIRST) {
    try {
      const lines = await api.logs.newest({ logs, limit }, { signal });
      return { lines: lines.reverse(), isCut: lines.length === limit };
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 413) || limit === AT_FIRST.at(-1))
        throw error;
    }
  }
  return { lines: [], isCut: false };
}

/** In order of time; most lines come in order already. */
function merged(before: readonly Log[], arrived: readonly Log[]): readonly Log[] {
  const all = [...before, ...arrived];
  const isSorted = arrived.every(
    (line, i) => line.timestamp >= (all[before.length + i - 1]?.timestamp ?? ""),
  );
  return isSorted ? all : all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}
