import type { StatusPage, StatusReport } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { monitorNames } from "../../api/names.ts";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { ChangeReportDialog } from "./change-report-dialog.tsx";
import { incidentWords } from "./incident-words.ts";
import { ReportDialog } from "./report-dialog.tsx";
import { reportableIncidentsQuery, reportsOfPage } from "./status-page-queries.ts";

const LOOKS = { none: undefined, degraded: "degraded", down: "down" } as const;
const IMPACTS = { none: "No impact", degraded: "Degraded", down: "Down" } as const;

/** What is told to the readers of a page about what goes on. */
export function Reports({ page }: { readonly page: StatusPage }): JSX.Element {
  const queries = useQueryClient();
  const { data, error } = useQuery(reportsOfPage(page.id));
  const [writing, setWriting] = useState<StatusReport | "new">();
  const [changing, setChanging] = useState<StatusReport>();
  const [deleting, setDeleting] = useState<StatusReport>();
  return (
    <div className="stack">
      <div>
        <Button needs="write" kind="primary" icon="plus" onClick={() => setWriting("new")}>
          New report
        </Button>
      </div>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {data === undefined && !error && <Skeleton />}
      {data?.length === 0 && (
        <Card>
          <Empty icon="page" title="No reports yet">
            <p>
              A report tells visitors what is going on, in your words, with updates until it is
              resolved.
            </p>
          </Empty>
        </Card>
      )}
      {data?.map((report) => (
        <Card
          key={report.id}
          title={
            <span className="row">
              {report.title}
              {report.resolved_at === null ? (
                <StateBadge type={LOOKS[report.impact]} name={IMPACTS[report.impact]} />
              ) : (
                <StateBadge type="up" name="Resolved" />
              )}
            </span>
          }
          actions={
            <>
              <Button needs="write" small onClick={() => setWriting(report)}>
                Add update
              </Button>
              <IconButton
                needs="write"
                small
                icon="edit"
                label={`Edit report ${report.title}`}
                onClick={() => setChanging(report)}
              />
              <IconButton
                needs="write"
                small
                icon="trash"
                label={`Delete report ${report.title}`}
                onClick={() => setDeleting(report)}
              />
            </>
          }
        >
          {report.incident_id !== null && <About id={report.incident_id} />}
          <ol className="stack" style={{ listStyle: "none", padding: 0 }}>
            {report.updates.map(({ id, state, text, created_at }) => (
              <li key={id} className="stack-tight" style={{ gap: 2 }}>
                <span className="soft">
                  <strong>{capital(state)}</strong>, <Ago time={created_at} />
                </span>
                <span style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</span>
              </li>
            ))}
          </ol>
        </Card>
      ))}
      {writing && (
        <ReportDialog
          pageId={page.id}
          report={writing === "new" ? undefined : writing}
          onClose={() => setWriting(undefined)}
        />
      )}
      {changing && <ChangeReportDialog report={changing} onClose={() => setChanging(undefined)} />}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.title}?`}
          verb="Delete report"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await uptime.statusReports.delete(page.id, deleting.id);
            await queries.invalidateQueries({ queryKey: ["status-pages"] });
          }}
        >
          Visitors will no longer see it.
        </Confirm>
      )}
    </div>
  );
}

/** The incident that a report tells of. */
function About({ id }: { readonly id: string }): JSX.Element {
  const { data: incidents } = useQuery(reportableIncidentsQuery);
  const incident = incidents?.find((one) => one.id === id);
  const { data: names } = useQuery(monitorNames);
  return (
    <p className="soft" style={{ margin: "0 0 12px" }}>
      About{" "}
      {incident ? (
        <PageLink to={`/monitors/${incident.monitor_id}?tab=incidents`}>
          {incidentWords(incident, names)}
        </PageLink>
      ) : (
        <PageLink to="/incidents">{incidents ? "an older incident" : "an incident"}</PageLink>
      )}
    </p>
  );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
