import type { AutomationSimulation } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Segments } from "../../ui/form.tsx";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { RUN_WINDOWS, type RunWindow, WINDOW_WORDS } from "../runs/runs-search.ts";
import type { TriggerDraft } from "./draft.ts";
import { Evaluations, Firings } from "./evaluations.tsx";

const SHOWN = 20;

/** What the trigger would have done with the events of the past. Nothing is done. */
export function SimulateCard({ trigger }: { readonly trigger: TriggerDraft }): JSX.Element {
  const [window, setWindow] = useState<RunWindow>("24h");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [result, setResult] = useState<AutomationSimulation>();
  const simulate = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const since = new Date(Date.now() - RUN_WINDOWS[window] * 1000).toISOString();
      setResult(await api.automations.simulate({ trigger, since, limit: SHOWN }));
    } catch (reason) {
      setResult(undefined);
      setError(errorText(reason));
    }
    setBusy(false);
  };
  return (
    <Card title="Test with past events">
      <div className="stack">
        <p className="soft">
          Shows when it would have fired on past events, and its near misses. Nothing is sent or
          started.
        </p>
        <div className="row">
          <Segments label="Time range" options={WINDOW_WORDS} value={window} onValue={setWindow} />
          <Button icon="play" busy={busy} onClick={() => void simulate()}>
            Simulate
          </Button>
        </div>
        {error !== undefined && <NoticeBox kind="error">{error}</NoticeBox>}
        {result && <Result result={result} />}
      </div>
    </Card>
  );
}

function Result({ result }: { readonly result: AutomationSimulation }): JSX.Element {
  const { firings, firings_total, near_misses, events_read, events_named, truncated } = result;
  return (
    <div className="stack" role="status">
      <div>
        <strong className="num">
          {firings_total === 0
            ? "It would not have fired"
            : `It would have fired ${firings_total === 1 ? "once" : `${firings_total.toLocaleString("en")} times`}`}
        </strong>
        <div className="soft num">
          {counted(events_read, "event")} looked at, {events_named.toLocaleString("en")} with a name
          it waits for
        </div>
      </div>
      {truncated && (
        <NoticeBox kind="warn">Stopped early: too many {result.truncated_by}.</NoticeBox>
      )}
      {firings.length > 0 && (
        <section className="stack-tight">
          <h3>Firings</h3>
          <Firings firings={firings} />
        </section>
      )}
      {near_misses.length > 0 && (
        <section className="stack-tight">
          <h3>Near misses</h3>
          <Evaluations entries={near_misses} />
        </section>
      )}
    </div>
  );
}
