import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useEffect, useRef, useState } from "react";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { type BulkAction, type BulkOutcome, doWithMany, idsOf } from "./many-runs.ts";
import type { RunsSearch } from "./runs-search.ts";
import type { Picks } from "./use-picks.ts";

const DONE: Readonly<Record<BulkAction, string>> = {
  cancel: "Cancelling",
  retry: "Retrying:",
  delete: "Deleted",
};
/** What is done with many at once is asked about, with what it means. */
const ASKS = {
  retry: ["Retry", "Each of these runs is retried."],
  cancel: ["Cancel", "Running runs are stopped; pending runs never start."],
  delete: ["Delete", "Their states, task runs and logs are deleted too. This cannot be undone."],
} as const;

/** Actions on the selected runs, or on all that match, with their progress. */
export function PickedRuns({
  picks: { ids: selected, isAll },
  search,
  total,
  onAll,
  onDone,
}: {
  readonly picks: Picks;
  readonly search: RunsSearch;
  /** How many match in all. */
  readonly total: number;
  readonly onAll: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<keyof typeof ASKS>();
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number }>();
  const ending = useRef(new AbortController());
  // Whoever goes away can no longer stop it.
  useEffect(() => () => ending.current.abort(), []);
  const count = isAll ? total : selected.size;
  const what = counted(count, "run");
  const work = async (verb: BulkAction) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setProgress({ done: 0, of: count });
    const ids = isAll ? await idsOf(search, signal) : [...selected];
    const outcome = await doWithMany(verb, ids, {
      signal,
      onDone: (done) => setProgress({ done, of: ids.length }),
    });
    await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    tell(verb, outcome, signal.aborted);
    if (outcome.error === undefined) onDone();
    else setProgress(undefined);
  };
  const start = (verb: BulkAction) => {
    work(verb).catch(async (error: unknown) => {
      setProgress(undefined);
      if (ending.current.signal.aborted) toast("good", "Stopped before any change");
      else toastError(error);
      await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    });
  };
  if (progress)
    return (
      <div className="notice" role="status">
        <div className="row" style={{ flex: 1, flexWrap: "nowrap" }}>
          <progress
            value={progress.done}
            max={progress.of}
            style={{ flex: 1 }}
            aria-label="Progress"
          />
          <span className="num nowrap">
            {progress.done} of {progress.of}
          </span>
          <Button small onClick={() => ending.current.abort()}>
            Stop
          </Button>
        </div>
      </div>
    );
  return (
    <div className="notice" role="status">
      <div className="row">
        <strong>{what} selected</strong>
        <Button needs="run" small icon="slash" onClick={() => setAsking("cancel")}>
          Cancel
        </Button>
        <Button needs="run" small icon="retry" onClick={() => setAsking("retry")}>
          Run again
        </Button>
        <Button needs="write" small icon="trash" kind="danger" onClick={() => setAsking("delete")}>
          Delete
        </Button>
        {!isAll && total > selected.size && (
          <Button small kind="plain" onClick={onAll}>
            Select all {total.toLocaleString("en")} that match
          </Button>
        )}
        <Button small kind="plain" onClick={onDone}>
          Clear selection
        </Button>
      </div>
      {asking && (
        <Confirm
          title={`${ASKS[asking][0]} ${what}?`}
          verb={`${ASKS[asking][0]} ${what}`}
          onClose={() => setAsking(undefined)}
          onConfirm={async () => start(asking)}
        >
          {ASKS[asking][1]}
        </Confirm>
      )}
    </div>
  );
}

/**
 * Also of those that would not: a run that has ended cannot be cancelled, and one that nobody
 * deployed cannot run again.
 */
function tell(
  verb: BulkAction,
  { done, refused, reason, error }: BulkOutcome,
  isStopped: boolean,
): void {
  const stopped = isStopped ? "Stopped before the end. " : "";
  if (done > 0 || (refused === 0 && error === undefined))
    toast("good", `${stopped}${DONE[verb]} ${counted(done, "run")}`);
  if (refused > 0)
    toast("error", `${counted(refused, "run")} unchanged: ${reason ?? "the server refused"}`);
  if (error !== undefined) toastError(error);
}
