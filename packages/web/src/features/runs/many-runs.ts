import { api } from "../../api/client.ts";
import { conditionsOf } from "./run-queries.ts";
import type { RunsSearch } from "./runs-search.ts";

export type Verb = "cancel" | "retry" | "delete";

const AT_ONCE = 100;

const WORK: Readonly<Record<Verb, (ids: readonly string[]) => Promise<unknown>>> = {
  cancel: (ids) => setState(ids, "CANCELLING"),
  retry: (ids) => setState(ids, "SCHEDULED"),
  delete: (ids) =>
    api.flowRuns.deleteMany({ flow_runs: { id: { any_: [...ids] } }, limit: ids.length }),
};

function setState(ids: readonly string[], type: "CANCELLING" | "SCHEDULED"): Promise<unknown> {
  return api.flowRuns.setStateOfMany({
    flow_runs: { id: { any_: [...ids] } },
    state: { type, message: "Asked for in the web UI" },
    limit: ids.length,
  });
}

/** Every run that matches, found before anything is done: what is done changes what matches. */
export async function idsOf(search: RunsSearch, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  const runs = api.flowRuns.each(
    { ...conditionsOf(search, Date.now()), sort: "ID_DESC" },
    { signal },
  );
  for await (const { id } of runs) ids.push(id);
  return ids;
}

/** Does something with many runs, a hundred at a time; `onDone` hears after each hundred how many are done. */
export async function doWithMany(
  verb: Verb,
  ids: readonly string[],
  { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (count: number) => void },
): Promise<void> {
  for (let at = 0; at < ids.length && !signal.aborted; at += AT_ONCE) {
    await WORK[verb](ids.slice(at, at + AT_ONCE));
    onDone(Math.min(ids.length, at + AT_ONCE));
  }
}
