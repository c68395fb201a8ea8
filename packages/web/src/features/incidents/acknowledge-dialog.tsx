import type { Incident } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
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
  const [error, setError] = useState<string>();
  const save = async () => {
    try {
      await uptime.incidents.acknowledge(incident.id, note === "" ? {} : { note });
      await queries.invalidateQueries({ queryKey: ["monitors", "incidents"] });
      toast("good", "The incident is acknowledged");
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="Acknowledge the incident" onClose={onClose}>
      <p className="soft">{incident.cause}</p>
      <Field label="Note" hint="What is known, or who looks after it. It may stay empty.">
        {(field) => (
          <TextArea {...field} value={note} onChange={({ target }) => setNote(target.value)} />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" onClick={() => void save()}>
          Acknowledge
        </Button>
      </div>
    </Dialog>
  );
}
