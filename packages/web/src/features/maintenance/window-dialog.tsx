import type { MaintenanceWindow } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Check, Field, Input, Segments, TextArea } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { MonitorPicker } from "../monitors/monitor-picker.tsx";
import { ScheduleFields } from "../monitors/schedule-fields.tsx";
import { draftOfWindow, type WindowDraft, windowOf } from "./window-draft.ts";

const KINDS = [
  ["once", "Once"],
  ["recurring", "Again and again"],
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
  const [error, setError] = useState<string>();
  const set = (some: Partial<WindowDraft>) => setDraft((before) => ({ ...before, ...some }));
  const save = async () => {
    try {
      const wanted = windowOf(draft);
      if (window === undefined) await uptime.maintenance.create(wanted);
      else await uptime.maintenance.update(window.id, wanted);
      await queries.invalidateQueries({ queryKey: ["maintenance"] });
      await queries.invalidateQueries({ queryKey: ["monitors"] });
      toast("good", `Saved ${draft.name}`);
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog
      wide
      title={window === undefined ? "New maintenance window" : `Change ${window.name}`}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="Database move"
        value={draft.name}
        onText={(name) => set({ name })}
      />
      <Field label="What is done" hint="Status pages show it">
        {(field) => (
          <TextArea
            {...field}
            rows={2}
            value={draft.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        )}
      </Field>
      <div>
        <Segments
          label="How often"
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
      <Check
        label="For all monitors, also those to come"
        checked={draft.all}
        onChange={({ target }) => set({ all: target.checked })}
      />
      {!draft.all && (
        <>
          <MonitorPicker
            label="For these monitors"
            picked={draft.monitorIds}
            onPick={(monitorIds) => set({ monitorIds })}
          />
          <TextField
            label="For monitors with one of these tags"
            hint="With commas between them"
            value={draft.tags}
            onText={(tags) => set({ tags })}
          />
        </>
      )}
      <Check
        label="Switched on"
        checked={draft.enabled}
        onChange={({ target }) => set({ enabled: target.checked })}
      />
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" disabled={draft.name.trim() === ""} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
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
        label="Begins (your time)"
        type="datetime-local"
        value={draft.startsAt}
        onText={(startsAt) => onChange({ startsAt })}
      />
      <TextField
        label="Ends (your time)"
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
      <Field label="Lasts (minutes)">
        {(field) => (
          <Input
            {...field}
            type="number"
            min={1}
            value={Number.isNaN(minutes) ? "" : minutes}
            onChange={({ target }) => onChange({ minutes: target.valueAsNumber })}
          />
        )}
      </Field>
    </>
  );
}
