import type { Deployment } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";

const AT_ONCE = 5;

/** Makes the runs that the schedules would have made in a span of the past. */
export function BackfillDialog({
  deployment,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}): JSX.Element {
  const [start, setStart] = useState("");
  const [end, setEnd] = useState("");
  const [most, setMost] = useState(AT_ONCE);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      await api.backfills.create(deployment.id, {
        start: new Date(start).toISOString(),
        ...(end === "" ? {} : { end: new Date(end).toISOString() }),
        max_concurrent: most,
      });
      toast("good", "The backfill has begun");
      onClose();
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Backfill ${deployment.name}`} onClose={onClose}>
      <p className="soft">
        Makes the runs that its schedules would have made in this time. Times that have a run
        already are left out.
      </p>
      <TextField label="From" type="datetime-local" value={start} onText={setStart} />
      <TextField
        label="Until"
        hint="Empty means now"
        type="datetime-local"
        value={end}
        onText={setEnd}
      />
      <Field label="At most at once">
        {(field) => (
          <Input
            {...field}
            type="number"
            min={1}
            value={most}
            onChange={({ target }) => setMost(target.valueAsNumber)}
          />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" busy={busy} disabled={start === ""} onClick={() => void begin()}>
          Begin
        </Button>
      </div>
    </Dialog>
  );
}
