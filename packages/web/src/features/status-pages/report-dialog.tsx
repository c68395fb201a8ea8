import type { StatusReport } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextArea } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";

const STATES = [
  ["investigating", "Investigating"],
  ["identified", "Identified"],
  ["monitoring", "Monitoring"],
  ["resolved", "Resolved"],
] as const;
const IMPACTS = [
  ["none", "None: only a note"],
  ["degraded", "Degraded"],
  ["down", "Down"],
] as const;

/** A new report, or another update of one. */
export function ReportDialog({
  pageId,
  report,
  onClose,
}: {
  readonly pageId: string;
  readonly report: StatusReport | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const [state, setState] = useState<StatusReport["state"]>(report?.state ?? "investigating");
  const [impact, setImpact] = useState<StatusReport["impact"]>("degraded");
  const [error, setError] = useState<string>();
  const save = async () => {
    try {
      if (report === undefined)
        await uptime.statusReports.create(pageId, { title, text, state, impact });
      else await uptime.statusReports.createUpdate(pageId, report.id, { text, state });
      await queries.invalidateQueries({ queryKey: ["status-pages"] });
      toast("good", "Readers can see it now");
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog
      title={report === undefined ? "New report" : `Update of ${report.title}`}
      onClose={onClose}
    >
      {report === undefined && (
        <>
          <TextField label="Title" value={title} onText={setTitle} />
          <Field label="How bad it is">
            {(field) => <Select {...field} options={IMPACTS} value={impact} onValue={setImpact} />}
          </Field>
        </>
      )}
      <Field label="How far it is">
        {(field) => <Select {...field} options={STATES} value={state} onValue={setState} />}
      </Field>
      <Field label="What readers are told" hint="Shown as plain text">
        {(field) => (
          <TextArea {...field} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          disabled={text.trim() === "" || (report === undefined && title.trim() === "")}
          onClick={() => void save()}
        >
          Tell them
        </Button>
      </div>
    </Dialog>
  );
}
