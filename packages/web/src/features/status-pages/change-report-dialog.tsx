import type { StatusReport, StatusReportChange } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type ReportFacts, ReportFields } from "./report-fields.tsx";

/**
 * What was said stays; its title, how bad it is and what it is about may turn out otherwise. Only
 * that is sent which was changed.
 */
export function ChangeReportDialog({
  report,
  onClose,
}: {
  readonly report: StatusReport;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [facts, setFacts] = useState<ReportFacts>({
    title: report.title,
    impact: report.impact,
    incident_id: report.incident_id,
  });
  const save = async () => {
    const { title, impact, incident_id } = facts;
    const changes: StatusReportChange = {
      ...(title !== report.title && { title }),
      ...(impact !== report.impact && { impact }),
      ...(incident_id !== report.incident_id && { incident_id }),
    };
    await uptime.statusReports.update(report.page_id, report.id, changes);
    await queries.invalidateQueries({ queryKey: ["status-pages"] });
    toast("good", `Saved ${facts.title}`);
  };
  return (
    <SaveDialog
      title={`Edit ${report.title}`}
      canSave={facts.title.trim() !== ""}
      onSave={save}
      onClose={onClose}
    >
      <ReportFields facts={facts} onFacts={(some) => setFacts({ ...facts, ...some })} />
    </SaveDialog>
  );
}
