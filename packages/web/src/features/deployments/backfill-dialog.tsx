import type { Deployment } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { CheckboxField, Input, LabeledField } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

const AT_ONCE = 5;

/** Makes the runs that the schedules would have made in a span of the past. */
export function BackfillDialog({
  deployment,
  onShow,
  onClose,
}: {
  readonly deployment: Deployment;
  /** Shows how far the backfills are. */
  readonly onShow: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [start, setStart] = useState("");
  const [end, setEnd] = useState("");
  const [most, setMost] = useState(AT_ONCE);
  const [skips, setSkips] = useState(true);
  const queries = useQueryClient();
  const { onSubmit, busy, error } = useSubmit(async () => {
    await api.backfills.create(deployment.id, {
      start: new Date(start).toISOString(),
      ...(end === "" ? {} : { end: new Date(end).toISOString() }),
      max_concurrent: most,
      skip_existing: skips,
    });
    await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    toast("good", "Backfill started");
    onShow();
    onClose();
  });
  return (
    <Dialog title={`Backfill ${deployment.name}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <p className="soft">
          Creates the runs that its active schedules would have created in this time range.
        </p>
        <TextField label="From" type="datetime-local" value={start} onText={setStart} />
        <TextField
          label="Until"
          hint="Leave empty for now. Both are in your time zone"
          type="datetime-local"
          value={end}
          onText={setEnd}
        />
        <LabeledField label="Concurrency limit">
          {(field) => (
            <Input
              {...field}
              type="number"
              min={1}
              max={100}
              value={most}
              onChange={({ target }) => setMost(target.valueAsNumber)}
            />
          )}
        </LabeledField>
        <CheckboxField
          label="Skip times for which the schedule already created a run"
          checked={skips}
          onChange={({ target }) => setSkips(target.checked)}
        />
        <DialogFoot error={error}>
          <Button
            kind="plain"
            onClick={() => {
              onShow();
              onClose();
            }}
          >
            Show earlier
          </Button>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" busy={busy} disabled={start === "" || !(most >= 1)} type="submit">
            Start
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
