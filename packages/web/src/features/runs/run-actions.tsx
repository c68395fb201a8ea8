import type { FlowRun } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate } from "../../navigation/location.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { wasDone } from "./many-runs.ts";
import { RerunButton } from "./rerun-dialog.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";

const ENDED = new Set(["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]);

/** What can be done with a run in the state that it is in. */
export function RunActions({ run }: { readonly run: FlowRun }): JSX.Element {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<"delete" | "resume">();
  const [busy, setBusy] = useState(false);
  const isEnded = ENDED.has(run.state_type ?? "");
  const propose = async (type: "CANCELLING" | "SCHEDULED" | "PAUSED", done: string) => {
    setBusy(true);
    try {
      const result = await api.flowRuns.setState(run.id, {
        state: { type, message: `Requested in the web UI` },
      });
      const { status, details } = result;
      if (wasDone(type, result)) toast("good", done);
      else
        toast("error", ("reason" in details && details.reason) || `The server answered ${status}`);
      await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };
  return (
    <>
      {run.state_type === "PAUSED" && (
        <Button needs="run" kind="primary" icon="play" onClick={() => setAsking("resume")}>
          Resume
        </Button>
      )}
      {run.state_type === "RUNNING" && (
        <Button
          needs="run"
          icon="pause"
          busy={busy}
          onClick={() => void propose("PAUSED", "The run will pause")}
        >
          Pause
        </Button>
      )}
      {!isEnded && run.state_type !== "CANCELLING" && (
        <Button
          needs="run"
          icon="slash"
          busy={busy}
          onClick={() => void propose("CANCELLING", "The run is being cancelled")}
        >
          Cancel
        </Button>
      )}
      {isEnded && (
        <Button
          needs="run"
          icon="retry"
          busy={busy}
          onClick={() => void propose("SCHEDULED", "The run will be retried")}
        >
          Retry
        </Button>
      )}
      {isEnded && <RerunButton run={run} />}
      <PageLink to={`/runs/compare?a=${run.id}`} className={buttonClass({})}>
        Compare
      </PageLink>
      {isEnded && (
        <Button needs="write" icon="trash" kind="danger" onClick={() => setAsking("delete")}>
          Delete
        </Button>
      )}
      {asking === "resume" && <ResumeDialog run={run} onClose={() => setAsking(undefined)} />}
      {asking === "delete" && (
        <Confirm
          title={`Delete ${run.name}?`}
          verb="Delete run"
          onClose={() => setAsking(undefined)}
          onConfirm={async () => {
            await api.flowRuns.delete(run.id);
            toast("good", `Deleted ${run.name}`);
            navigate("/runs");
          }}
        >
          Its states, task runs and logs are deleted too. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
