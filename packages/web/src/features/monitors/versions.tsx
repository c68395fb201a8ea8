import type { MonitorOverview } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import { Card, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { versionsOf } from "./result-queries.ts";

/** Which version of an instance was seen when, in all the time it has been watched. */
export function Versions({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { data, error } = useQuery(versionsOf(monitor.id));
  const hasSeveral = data?.some(({ check }) => check !== "instance") === true;
  return (
    <Card flush title="Versions">
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Table
        label="Versions"
        rows={data}
        keyOf={({ check, from }) => `${check} ${from}`}
        empty={
          <p className="soft" style={{ padding: 16 }}>
            No versions recorded yet.
          </p>
        }
        columns={[
          {
            title: "Version",
            look: "fill",
            cell: ({ version, revision, check }) => (
              <>
                <strong>{version}</strong>
                {hasSeveral && <span className="faint"> {check}</span>}
                {revision !== null && (
                  <div className="narrow-only">
                    <Revision revision={revision} />
                  </div>
                )}
              </>
            ),
          },
          {
            title: "Revision",
            look: "wide",
            cell: ({ revision }) => (revision === null ? "–" : <Revision revision={revision} />),
          },
          { title: "First seen", cell: ({ from }) => <Ago time={from} /> },
          {
            title: "Last seen",
            cell: ({ until }) => (until === null ? "now" : <Ago time={until} />),
          },
        ]}
      />
    </Card>
  );
}

/** A long one is read by pointing at it, and on a phone broken into two lines. */
function Revision({ revision }: { readonly revision: string }): JSX.Element {
  return (
    <div className="cut" style={{ maxWidth: 320 }}>
      <code title={revision}>{revision}</code>
    </div>
  );
}
