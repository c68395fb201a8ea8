import type { StatusReport } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextAreaField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type ReportFacts, ReportFields } from "./report-fields.tsx";

const STATES = [
  ["investigating", "Investigating"],
  ["identified", "Identified"],
  ["monitoring", "Monitoring"],
  ["resolved", "Resolved"],
] as const;
const NEW: ReportFacts = { title: "", impact: "degraded", incident_id: null };

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
  const [facts, setFacts] = useState(NEW);
  const [text, setText] = useState("");
  const [state, setState] = useState<StatusReport["state"]>(report?.state ?? "investigating");
  const save = async () => {
    if (report === undefined) await uptime.statusReports.create(pageId, { ...facts, text, state });
    else await uptime.statusReports.createUpdate(pageId, report.id, { text, state });
    await queries.invalidateQueries({ queryKey: ["status-pages"] });
    toast("good", "Update published");
  };
  return (
    <SaveDialog
      title={report === undefined ? "New report" : `Update ${report.title}`}
      verb="Publish update"
      canSave={text.trim() !== "" && (report !== undefined || facts.title.trim() !== "")}
      onSave={save}
      onClose={onClose}
    >
      {report === undefined && (
        <ReportFields facts={facts} onFacts={(some) => setFacts({ ...facts, ...some })} />
      )}
      <LabeledField label="Status">
        {(field) => <Select {...field} options={STATES} value={state} onValue={setState} />}
      </LabeledField>
      <TextAreaField
        label="Message"
        hint="Visible to visitors as plain text"
        style={{ font: "inherit" }}
        value={text}
        onText={setText}
      />
    </SaveDialog>
  );
}
