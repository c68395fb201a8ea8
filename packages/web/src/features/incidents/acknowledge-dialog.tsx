import type { Incident } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { LabeledField, TextArea } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

/** Says that somebody looks after an incident, and why it came about. */
export function AcknowledgeDialog({
  incident,
  onClose,
}: {
  readonly incident: Incident;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [note, setNote] = useState(incident.note ?? "");
  const save = async () => {
    await uptime.incidents.acknowledge(incident.id, note === "" ? {} : { note });
    await queries.invalidateQueries({ queryKey: ["monitors", "incidents"] });
    toast("good", "Incident acknowledged");
  };
  return (
    <SaveDialog title="Acknowledge incident" verb="Acknowledge" onSave={save} onClose={onClose}>
      <p className="soft">{incident.cause}</p>
      <LabeledField label="Note" hint="What is known, or who is working on it. Optional.">
        {(field) => (
          <TextArea {...field} value={note} onChange={({ target }) => setNote(target.value)} />
        )}
      </LabeledField>
    </SaveDialog>
  );
}
