import type { Incident } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, type ReactNode, useState } from "react";
import { monitorNames } from "../../api/names.ts";
import { durationLabel, shortly } from "../../lib/time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { AcknowledgeDialog } from "./acknowledge-dialog.tsx";
import { IncidentDialog } from "./incident-dialog.tsx";
import { MonitorName } from "./monitor-name.tsx";

const ENDS = {
  recovered: "Recovered",
  paused: "Monitor paused",
  deleted: "Monitor deleted",
} as const;

/** `withMonitor` where the incidents of several are listed. */
export function IncidentsTable({
  incidents,
  withMonitor = false,
  empty,
}: {
  readonly incidents: readonly Incident[] | undefined;
  readonly withMonitor?: boolean;
  readonly empty: ReactNode;
}): JSX.Element {
  const [acknowledging, setAcknowledging] = useState<Incident>();
  const [shown, setShown] = useState<Incident>();
  const names = useQuery({ ...monitorNames, enabled: withMonitor }).data ?? [];
  const nameOf = (id: string) => names.find((one) => one.id === id)?.name;
  const isGone = (id: string) => names.length > 0 && nameOf(id) === undefined;
  return (
    <>
      <Table
        label="Incidents"
        rows={incidents}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[
          {
            title: withMonitor ? "Monitor and cause" : "Cause",
            look: "fill",
            cell: ({ status, monitor_id, cause, note, ...rest }) => (
              <div className="stack-tight" style={{ gap: 3 }}>
                <span className="row" style={{ flexWrap: "nowrap" }}>
                  <StateBadge type={status} />
                  {withMonitor && (
                    <MonitorName
                      id={monitor_id}
                      name={nameOf(monitor_id)}
                      isGone={isGone(monitor_id)}
                    />
                  )}
                </span>
                <div className="cut" title={cause}>
                  {cause}
                </div>
                <span className="narrow-only soft">
                  <Duration incident={rest} />
                </span>
                {note && (
                  <div className="cut faint" title={note}>
                    {note}
                  </div>
                )}
              </div>
            ),
          },
          { title: "Started", look: "wide", cell: ({ started_at }) => <Ago time={started_at} /> },
          { title: "Duration", look: "wide", cell: (incident) => <Duration incident={incident} /> },
          {
            title: "Acknowledged",
            cell: (incident) =>
              incident.acknowledged_at === null ? (
                <Button needs="run" small onClick={() => setAcknowledging(incident)}>
                  Acknowledge
                </Button>
              ) : (
                <span className="soft">
                  {incident.acknowledged_by}, <Ago time={incident.acknowledged_at} />
                </span>
              ),
          },
          {
            title: <span className="visually-hidden">Timeline</span>,
            cell: (incident) => (
              <IconButton
                small
                icon="right"
                label={`Timeline of the incident of ${shortly(incident.started_at)}`}
                onClick={() => setShown(incident)}
              />
            ),
          },
        ]}
      />
      {shown && <IncidentDialog incident={shown} onClose={() => setShown(undefined)} />}
      {acknowledging && (
        <AcknowledgeDialog incident={acknowledging} onClose={() => setAcknowledging(undefined)} />
      )}
    </>
  );
}

function Duration({
  incident,
}: {
  readonly incident: Pick<Incident, "ended_at" | "ended_by" | "duration_seconds">;
}): JSX.Element {
  const { ended_at, ended_by, duration_seconds } = incident;
  return (
    <span className="stack-tight nowrap" style={{ gap: 0 }}>
      {ended_at === null ? (
        <strong>Open</strong>
      ) : (
        <span className="num">{durationLabel(duration_seconds ?? 0)}</span>
      )}
      {ended_by && <span className="faint">{ENDS[ended_by]}</span>}
    </span>
  );
}
