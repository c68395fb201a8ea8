import type { Log } from "@orchestrator/contract";
import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";

const SHOW_MS = 150;
/** The newest so many are asked for and kept: a run may have written millions. All of them can be downloaded. */
const MOST = 10_000;
/** After so many it is worth a question whether there are more than that. */
const MANY = 1000;

export interface LogLines {
  readonly lines: readonly Log[];
  readonly isCut: boolean;
  readonly error: string | undefined;
}

/** The lines of a run: those that are there, and those that come. Many that come at once are shown at once. */
export function useLogLines(
  runId: string,
  filter: { readonly level: number; readonly task: string },
): LogLines {
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
        if (all.length > MOST) setCut(true);
        return all.slice(-MOST);
      });
    }, SHOW_MS);
    const follow = async () => {
      const conditions = {
        flow_run_id: { any_: [runId] },
        level: { ge_: level },
        ...(task === "" ? {} : { task_run_id: { any_: [task] } }),
      };
      const { signal } = ending;
      let count = 0;
      let tooOld: Log | undefined;
      for await (const line of api.logs.follow(conditions, { backfill: true, signal })) {
        waiting.push(line);
        count += 1;
        if (count === MANY)
          [tooOld] = await api.logs.list(
            { logs: conditions, sort: "TIMESTAMP_DESC", offset: MOST, limit: 1 },
            { signal },
          );
        if (tooOld) break;
      }
      if (tooOld === undefined) return;
      // The oldest came first, and all of them would take long to get through.
      waiting = [];
      setLines([]);
      setCut(true);
      const timestamp = { after_: tooOld.timestamp };
      const newest = api.logs.follow({ ...conditions, timestamp }, { backfill: true, signal });
      for await (const line of newest) waiting.push(line);
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

/** In order of time; most lines come in order already. */
function merged(before: readonly Log[], arrived: readonly Log[]): readonly Log[] {
  const all = [...before, ...arrived];
  const isSorted = arrived.every(
    (line, i) => line.timestamp >= (all[before.length + i - 1]?.timestamp ?? ""),
  );
  return isSorted ? all : all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}
