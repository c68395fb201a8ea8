// The history of a page: what monitors saw and what people reported, told as one where it is one.

import type { ShownIncident, ShownReport, StatusPageView } from "@orchestrator/contract";

export interface PageEntry {
  readonly id: string;
  readonly title: string;
  readonly started: string;
  /** Null while it lasts. */
  readonly ended: string | null;
  readonly incident: ShownIncident | null;
  readonly report: ShownReport | null;
}

/** The latest first. */
export function entriesOf({ incidents, reports }: StatusPageView): PageEntry[] {
  const reportOf = new Map(reports.map((report) => [report.id, report]));
  const told = new Set<string>();
  const fromIncidents = (incidents ?? []).map((incident): PageEntry => {
    const report = reportOf.get(incident.report_id ?? "") ?? null;
    if (report !== null) told.add(report.id);
    return {
      id: incident.id,
      title: report?.title ?? incidentTitle(incident),
      started: incident.started_at,
      ended: endOf(incident, report),
      incident,
      report,
    };
  });
  const fromReports = reports
    .filter(({ id }) => !told.has(id))
    .map((report): PageEntry => {
      const { id, title, created_at, resolved_at } = report;
      return { id, title, started: created_at, ended: resolved_at, incident: null, report };
    });
  return [...fromIncidents, ...fromReports].sort((a, b) => latestFirst(a.started, b.started));
}

/** Of the same moment, in the order they are in. */
export function latestFirst(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

/** It is over when both say so, and was as long as the incident was. */
function endOf({ ended_at }: ShownIncident, report: ShownReport | null): string | null {
  return report !== null && report.resolved_at === null ? null : ended_at;
}

export function incidentTitle({ monitor, status, ended_at }: ShownIncident): string {
  return `${monitor} ${ended_at === null ? "is" : "was"} ${status}`;
}
