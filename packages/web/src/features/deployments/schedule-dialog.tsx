import type { Deployment, DeploymentSchedule } from "@orchestrator/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useDeferredValue, useId, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText, problemAt } from "../../lib/error-text.ts";
import { OWN_ZONE, shortly } from "../../lib/time.ts";
import { LabeledField, Segments, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import {
  DEFAULT_SCHEDULES,
  type ScheduleKind,
  scheduleDraftOf,
  scheduleIn,
} from "./schedule-draft.ts";
import { scheduleWords } from "./schedule-words.ts";

const KINDS = [
  ["cron", "Cron"],
  ["interval", "Interval"],
  ["rrule", "RRULE"],
] as const;
const HINTS: Readonly<Record<ScheduleKind, string>> = {
  cron: "Minute, hour, day of month, month, day of week",
  interval: "Seconds between runs",
  rrule: "RFC 5545 recurrence rule",
};
const OVERLAPS = [
  ["allow", "Run concurrently"],
  ["skip", "Skip this run"],
  ["queue", "Wait for the earlier run"],
  ["cancel-running", "Cancel the earlier run"],
] as const;
const CATCHUPS = [
  ["none", "Skip them"],
  ["latest", "Catch up on the latest"],
  ["all", "Catch up on all"],
] as const;
const NEXT = 5;
const ZONES = Intl.supportedValuesOf("timeZone");

/** A new schedule, or one that is changed; the next times are shown while it is being written. */
export function ScheduleDialog({
  deployment,
  schedule: kept,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly schedule?: DeploymentSchedule;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const zones = useId();
  const [draft, setDraft] = useState(() => scheduleDraftOf(kept));
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const { kind, text, timezone, overlap, catchup } = draft;
  const schedule = useDeferredValue(scheduleIn(draft, kept?.schedule));
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
    const given = { schedule: scheduleIn(draft, kept?.schedule), overlap, catchup };
    if (kept === undefined)
      await api.deployments.createSchedules(deployment.id, [{ ...given, active: true }]);
    else await api.deployments.updateSchedule(deployment.id, kept.id, given);
    await queries.invalidateQueries({ queryKey: ["deployments"] });
    toast("good", "Schedule saved");
  };
  const zoneProblem = problemAt(preview.error, "timezone");
  const ruleProblem =
    preview.error && zoneProblem === undefined
      ? (problemAt(preview.error, kind) ?? errorText(preview.error))
      : undefined;
  return (
    <SaveDialog
      title={kept === undefined ? "New schedule" : "Edit schedule"}
      verb={kept === undefined ? "Add" : "Save"}
      canSave={!preview.isError}
      onSave={save}
      onClose={onClose}
    >
      <Segments<ScheduleKind>
        label="Kind"
        options={KINDS}
        value={kind}
        onValue={(next) => change({ kind: next, text: DEFAULT_SCHEDULES[next] })}
      />
      <TextField
        label="Rule"
        hint={HINTS[kind]}
        error={ruleProblem}
        className="mono"
        value={text}
        onText={(typed) => change({ text: typed })}
      />
      <TextField
        label="Time zone"
        error={zoneProblem}
        list={zones}
        value={timezone}
        onText={(typed) => change({ timezone: typed })}
      />
      <datalist id={zones}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <LabeledField label="If the previous run is still active">
        {(field) => (
          <Select
            {...field}
            options={OVERLAPS}
            value={overlap}
            onValue={(next) => change({ overlap: next })}
          />
        )}
      </LabeledField>
      <LabeledField label="Runs missed while no server was running">
        {(field) => (
          <Select
            {...field}
            options={CATCHUPS}
            value={catchup}
            onValue={(next) => change({ catchup: next })}
          />
        )}
      </LabeledField>
      {preview.data && !preview.error && (
        <NoticeBox>
          <div>{scheduleWords(schedule)}</div>
          <div className="num">
            {preview.data.times.map(({ time }) => shortly(time)).join(" · ")}{" "}
            <span className="soft">in {OWN_ZONE}</span>
          </div>
        </NoticeBox>
      )}
    </SaveDialog>
  );
}
