import type { Deployment, Schedule } from "@orchestrator/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { shortly } from "../../lib/time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Segments, Select } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { scheduleWords } from "./schedule-words.ts";

type Kind = "cron" | "interval" | "rrule";
const KINDS = [
  ["cron", "Cron"],
  ["interval", "Interval"],
  ["rrule", "RRULE"],
] as const;
const FIRST: Readonly<Record<Kind, string>> = {
  cron: "0 9 * * *",
  interval: "3600",
  rrule: "FREQ=DAILY;BYHOUR=9",
};
const HINTS: Readonly<Record<Kind, string>> = {
  cron: "Minute, hour, day of month, month, day of week",
  interval: "Seconds between two runs",
  rrule: "A rule of RFC 5545",
};
const OVERLAPS = [
  ["allow", "Start anyway"],
  ["skip", "Leave this time out"],
  ["queue", "Wait for it"],
  ["cancel-running", "Cancel the earlier run"],
] as const;
const NEXT = 5;

/** A new schedule; the next times are shown while it is being written. */
export function ScheduleDialog({
  deployment,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>("cron");
  const [text, setText] = useState(FIRST.cron);
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number][0]>("allow");
  const [error, setError] = useState<string>();
  const schedule = useDeferredValue(scheduleOf(kind, text, timezone));
  const preview = useQuery({
    queryKey: ["deployments", "preview", deployment.id, schedule],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.deployments.previewSchedules(
        deployment.id,
        { schedules: [{ schedule }], limit: NEXT },
        { signal },
      ),
  });
  const save = async () => {
    try {
      await api.deployments.createSchedules(deployment.id, [
        { schedule: scheduleOf(kind, text, timezone), active: true, overlap },
      ]);
      await queries.invalidateQueries({ queryKey: ["deployments"] });
      toast("good", "The schedule is set");
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="New schedule" onClose={onClose}>
      <Segments<Kind>
        label="Kind"
        options={KINDS}
        value={kind}
        onValue={(next) => {
          setKind(next);
          setText(FIRST[next]);
        }}
      />
      <TextField
        label="Rule"
        hint={HINTS[kind]}
        error={preview.error ? errorText(preview.error) : undefined}
        className="mono"
        value={text}
        onText={setText}
      />
      <TextField label="Time zone" value={timezone} onText={setTimezone} />
      <Field label="If the run before has not ended">
        {(field) => <Select {...field} options={OVERLAPS} value={overlap} onValue={setOverlap} />}
      </Field>
      {preview.data && !preview.error && (
        <Notice>
          <div>{scheduleWords(schedule)}</div>
          <div className="num">
            {preview.data.times.map(({ time }) => shortly(time)).join(" · ")}
          </div>
        </Notice>
      )}
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" disabled={preview.isError} onClick={() => void save()}>
          Add
        </Button>
      </div>
    </Dialog>
  );
}

function scheduleOf(kind: Kind, text: string, timezone: string): Schedule {
  if (kind === "interval") return { interval: Number(text), timezone };
  return { [kind]: text, timezone };
}
