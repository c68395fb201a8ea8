import type { CheckTrialResult } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Json } from "../../ui/json.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { CheckOutcomes } from "./check-outcomes.tsx";
import type { MonitorFormDraft } from "./monitor-draft.ts";
import { msText } from "./monitor-words.ts";

const TRIAL_MS = 90_000;

/** Runs the checks once before anything is saved. */
export function TrialCard({
  draft,
  monitorId,
}: {
  readonly draft: MonitorFormDraft;
  readonly monitorId: string | undefined;
}): JSX.Element {
  const [result, setResult] = useState<CheckTrialResult>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { url, pipeline } = draft;
      const trial = { url, pipeline: [...pipeline], ...(monitorId && { monitor_id: monitorId }) };
      const options = { timeoutMs: TRIAL_MS, totalTimeoutMs: TRIAL_MS };
      setResult(await uptime.monitors.tryChecks(trial, options));
    } catch (reason) {
      setResult(undefined);
      setError(errorText(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card
      title="Test"
      actions={
        <Button
          icon="play"
          busy={busy}
          disabled={draft.url.trim() === ""}
          onClick={() => void test()}
        >
          {busy ? "Testing" : "Test now"}
        </Button>
      }
    >
      <div className="stack" aria-live="polite">
        {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
        {result === undefined && error === undefined && (
          <p className="soft">
            Runs the checks once, from the server, and shows the full result. Nothing is saved.
          </p>
        )}
        {result && (
          <>
            <div className="row">
              <StateBadge type={result.status} />
              <span className="num">in {msText(result.elapsed_ms)}</span>
            </div>
            <CheckOutcomes result={result} />
            <details>
              <summary className="soft">Full result</summary>
              <Json label="Full result" value={result.details} />
            </details>
          </>
        )}
      </div>
    </Card>
  );
}
