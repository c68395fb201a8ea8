import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useRef, useState } from "react";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { doWithMany, idsOf, type Verb } from "./many-runs.ts";
import type { RunsSearch } from "./runs-search.ts";

const DONE: Readonly<Record<Verb, string>> = {
  cancel: "Cancelling",
  retry: "Running again:",
  delete: "Deleted",
};

/** What can be done with the runs that were picked, or with all that match; many of them take a while, and that is shown. */
export function PickedRuns({
  picked,
  search,
  total,
  onDone,
}: {
  readonly picked: ReadonlySet<string>;
  readonly search: RunsSearch;
  /** How many match in all. */
  readonly total: number;
  readonly onDone: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [isAll, setAll] = useState(false);
  const [asking, setAsking] = useState(false);
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number }>();
  const ending = useRef(new AbortController());
  const count = isAll ? total : picked.size;
  const what = counted(count, "run");
  const work = async (verb: Verb) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setProgress({ done: 0, of: count });
    const ids = isAll ? await idsOf(search, signal) : [...picked];
    await doWithMany(verb, ids, {
      signal,
      onDone: (done) => setProgress({ done, of: ids.length }),
    });
    await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    toast("good", signal.aborted ? "Stopped before the end" : `${DONE[verb]} ${what}`);
    onDone();
  };
  const start = (verb: Verb) => {
    work(verb).catch((error: unknown) => {
      setProgress(undefined);
      toastError(error);
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
        <strong>{what} picked</strong>
        <Button needs="run" small icon="slash" onClick={() => start("cancel")}>
          Cancel
        </Button>
        <Button needs="run" small icon="retry" onClick={() => start("retry")}>
          Run again
        </Button>
        <Button needs="write" small icon="trash" kind="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
        {!isAll && total > picked.size && (
          <Button small kind="plain" onClick={() => setAll(true)}>
            Pick all {total.toLocaleString("en")} that match
          </Button>
        )}
        <Button small kind="plain" onClick={onDone}>
          Pick none
        </Button>
      </div>
      {asking && (
        <Confirm
          title={`Delete ${what}?`}
          verb={`Delete ${what}`}
          onClose={() => setAsking(false)}
          onConfirm={() => work("delete")}
        >
          Their states, task runs and logs go with them. This cannot be taken back.
        </Confirm>
      )}
    </div>
  );
}
