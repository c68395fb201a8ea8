import type { OrchestrationResult } from "@orchestrator/contract";
import { api } from "../../api/client.ts";
import { runConditionsOf } from "./run-queries.ts";
import type { RunsSearch } from "./runs-search.ts";

export type BulkAction = "cancel" | "retry" | "delete";

/** As many as the server takes in one request. */
const AT_ONCE = 50;

/**
 * What became of it: how many runs it was done with, and of those that would not, why the first
 * would not.
 */
export interface BulkOutcome {
  readonly done: number;
  readonly refused: number;
  readonly reason: string | undefined;
  /** What ended it before all were gone through. */
  readonly error?: unknown;
}

const WORK: Readonly<Record<BulkAction, (ids: readonly string[]) => Promise<BulkOutcome>>> = {
  cancel: (ids) => setState(ids, "CANCELLING"),
  retry: (ids) => setState(ids, "SCHEDULED"),
  delete: async (ids) => {
    const { deleted } = await api.flowRuns.deleteMany({
      flow_runs: { id: { any_: [...ids] } },
      limit: ids.length,
    });
    return { done: deleted.length, refused: 0, reason: undefined };
  },
};

async function setState(
  ids: readonly string[],
  type: "CANCELLING" | "SCHEDULED",
): Promise<BulkOutcome> {
  const { results } = await api.flowRuns.setStateOfMany({
    flow_runs: { id: { any_: [...ids] } },
    state: { type, message: "Requested in the web UI" },
    limit: ids.length,
  });
  const refusals = results.filter((result) => !wasDone(type, result));
  const details: { readonly reason?: string | null } = refusals[0]?.details ?? {};
  return {
    done: results.length - refusals.length,
    refused: refusals.length,
    reason: details.reason ?? undefined,
  };
}

/** A run that never began is cancelled at once, which is more than was asked for. */
export const wasDone = (
  asked: string,
  { status, state }: Pick<OrchestrationResult, "status" | "state">,
): boolean =>
  status === "ACCEPT" ||
  (asked === "CANCELLING" && state?.type === "CANCELLED" && status === "REJECT");

/** Every run that matches, found before anything is done: what is done changes what matches. */
export async function idsOf(search: RunsSearch, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  const runs = api.flowRuns.each(
    { ...runConditionsOf(search, Date.now()), sort: "ID_DESC" },
    { signal },
  );
  for await (const { id } of runs) ids.push(id);
  return ids;
}

/**
 * Does something with many runs, some at a time; `onDone` hears after each time how many it has
 * gone through.
 */
export async function doWithMany(
  verb: BulkAction,
  ids: readonly string[],
  { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (count: number) => void },
): Promise<BulkOutcome> {
  let all: BulkOutcome = { done: 0, refused: 0, reason: undefined };
  for (let at = 0; at < ids.length && !signal.aborted; at += AT_ONCE) {
    let piece: BulkOutcome;
    try {
      piece = await WORK[verb](ids.slice(at, at + AT_ONCE));
    } catch (error) {
      return { ...all, error };
    }
    const { done, refused, reason } = piece;
    all = {
      done: all.done + done,
      refused: all.refused + refused,
      reason: all.reason ?? reason,
    };
    onDone(Math.min(ids.length, at + AT_ONCE));
  }
  return all;
}
