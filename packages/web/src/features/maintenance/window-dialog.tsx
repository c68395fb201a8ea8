import type { MaintenanceWindow } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { CheckboxField, Segments } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { TextAreaField, TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { MonitorPicker } from "../monitors/monitor-picker.tsx";
import { ScheduleFields } from "../monitors/schedule-fields.tsx";
import { draftOfWindow, maintenanceWindowOf, type WindowDraft } from "./window-draft.ts";

const KINDS = [
  ["once", "Once"],
  ["recurring", "Recurring"],
] as const;

export function WindowDialog({
  window,
  onClose,
}: {
  readonly window: MaintenanceWindow | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<WindowDraft>(() => draftOfWindow(window));
  const set = (some: Partial<WindowDraft>) => setDraft((before) => ({ ...before, ...some }));
  const save = async () => {
    const wanted = maintenanceWindowOf(draft, window);
    if (window === undefined) await uptime.maintenance.create(wanted);
    else await uptime.maintenance.update(window.id, wanted);
    await queries.invalidateQueries({ queryKey: ["maintenance"] });
    await queries.invalidateQueries({ queryKey: ["monitors"] });
    toast("good", `Saved ${draft.name}`);
  };
  return (
    <SaveDialog
      wide
      title={window === undefined ? "New maintenance window" : `Edit ${window.name}`}
      canSave={draft.name.trim() !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Database move"
        value={draft.name}
        onText={(name) => set({ name })}
      />
      <TextAreaField
        label="Description"
        hint="Shown on status pages"
        rows={2}
        value={draft.description}
        onText={(description) => set({ description })}
      />
      <div>
        <Segments
          label="Recurrence"
          options={KINDS}
          value={draft.kind}
          onValue={(kind) => set({ kind })}
        />
      </div>
      {draft.kind === "once" ? (
        <Times draft={draft} onChange={set} />
      ) : (
        <Plan draft={draft} onChange={set} />
      )}
      <CheckboxField
        label="All monitors, including future ones"
        checked={draft.all}
        onChange={({ target }) => set({ all: target.checked })}
      />
      {!draft.all && (
        <>
          <MonitorPicker
            label="Monitors"
            picked={draft.monitorIds}
            onPick={(monitorIds) => set({ monitorIds })}
          />
          <TagsField
            label="Monitors with any of these tags"
            tags={draft.tags}
            onTags={(tags) => set({ tags })}
          />
        </>
      )}
      <CheckboxField
        label="Enabled"
        checked={draft.enabled}
        onChange={({ target }) => set({ enabled: target.checked })}
      />
    </SaveDialog>
  );
}

interface PartProps {
  readonly draft: WindowDraft;
  readonly onChange: (some: Partial<WindowDraft>) => void;
}

function Times({ draft, onChange }: PartProps): JSX.Element {
  return (
    <div className="grid">
      <TextField
        label="Starts (your time zone)"
        type="datetime-local"
        value={draft.startsAt}
        onText={(startsAt) => onChange({ startsAt })}
      />
      <TextField
        label="Ends (your time zone)"
        type="datetime-local"
        value={draft.endsAt}
        onText={(endsAt) => onChange({ endsAt })}
      />
    </div>
  );
}

function Plan({ draft, onChange }: PartProps): JSX.Element {
  const { schedule, timezone, minutes } = draft;
  return (
    <>
      <ScheduleFields schedule={schedule} timezone={timezone} onChange={onChange} />
      <TextField
        label="Duration (minutes)"
        type="number"
        min={1}
        step="any"
        value={Number.isNaN(minutes) ? "" : String(minutes)}
        onText={(text) => onChange({ minutes: text === "" ? Number.NaN : Number(text) })}
      />
    </>
  );
}
