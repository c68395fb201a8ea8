import type { FlowRun, NamedThing } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import { durationLabel } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Tabs } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { isNotFound, NotShown } from "../../ui/not-shown.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Facts, NoticeBox, PageFrame, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { useRerunFacts } from "./rerun-links.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunArtifacts } from "./run-artifacts.tsx";
import { RunBlockers } from "./run-blockers.tsx";
import { RunLogs } from "./run-logs.tsx";
import { runOriginQuery, runQuery } from "./run-page-queries.ts";
import { RunStates } from "./run-states.tsx";
import { RunTimeline } from "./run-timeline.tsx";

const TABS = [
  ["timeline", "Timeline"],
  ["logs", "Logs"],
  ["states", "States"],
  ["parameters", "Parameters"],
  ["artifacts", "Artifacts"],
] as const;
type Tab = (typeof TABS)[number][0];

type RunSearch = { readonly tab?: Tab; readonly task?: string };

function readSearch(search: URLSearchParams): RunSearch {
  const tab = TABS.find(([key]) => key === search.get("tab"))?.[0];
  const task = search.get("task");
  return { ...(tab && { tab }), ...(task !== null && { task }) };
}

const LIST = { label: "Runs", to: "/runs" };

export function RunPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const { data: run, error } = useQuery(runQuery(id));
  if (run === undefined || isNotFound(error))
    return (
      <PageFrame title="Run" crumbs={[LIST]}>
        <NotShown error={error} what="run" list={LIST} />
      </PageFrame>
    );
  return <LoadedRun run={run} error={error} />;
}

function LoadedRun({
  run,
  error,
}: {
  readonly run: FlowRun;
  /** Why it could not be read again; what is shown may be out of date. */
  readonly error: Error | null;
}): JSX.Element {
  const [{ tab = "timeline", task }, setSearch] = useSearch(readSearch);
  return (
    <PageFrame
      title={run.name}
      crumbs={[{ label: "Runs", to: "/runs" }]}
      about={
        <span className="row" style={{ alignItems: "flex-start" }}>
          <StateBadge type={run.state_type} name={run.state_name} />
          {run.state?.message && <LongText key={run.state.id} text={run.state.message} />}
        </span>
      }
      actions={<RunActions run={run} />}
    >
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <RunBlockers run={run} />
      <Card>
        <RunFacts run={run} />
      </Card>
      <Tabs
        label="About this run"
        tabs={TABS}
        value={tab}
        onValue={(next) => setSearch({ tab: next })}
      />
      {tab === "timeline" && (
        <RunTimeline run={run} onTask={(picked) => setSearch({ tab: "logs", task: picked })} />
      )}
      {tab === "logs" && (
        <RunLogs
          run={run}
          taskRunId={task}
          onTask={(picked) => setSearch({ task: picked ?? "" })}
        />
      )}
      {tab === "states" && <RunStates run={run} />}
      {tab === "parameters" && (
        <Card title="Parameters">
          <Json label="Parameters" value={run.parameters} />
        </Card>
      )}
      {tab === "artifacts" && <RunArtifacts run={run} />}
    </PageFrame>
  );
}

/** A subflow belongs to the run whose task it is. */
function ParentRun({ task }: { readonly task: NamedThing | undefined }): JSX.Element | null {
  if (!task?.belongs_to_id) return null;
  return (
    <PageLink to={`/runs/${task.belongs_to_id}`}>{task.belongs_to ?? task.belongs_to_id}</PageLink>
  );
}

function RunFacts({ run }: { readonly run: FlowRun }): JSX.Element {
  const origin = useQuery(runOriginQuery(run)).data;
  const rerunFacts = useRerunFacts(run);
  const { deployment_id } = run;
  return (
    <div className="grid">
      <Facts
        items={[
          ["Flow", <PageLink to={`/flows/${run.flow_id}`}>{origin?.flow ?? run.flow_id}</PageLink>],
          [
            "Deployment",
            deployment_id && (
              <PageLink to={`/deployments/${deployment_id}`}>
                {origin?.deployment ?? deployment_id}
              </PageLink>
            ),
          ],
          ...(run.parent_task_run_id === null
            ? []
            : [["Parent run", <ParentRun task={origin?.parent} />] as const]),
          [
            "Work pool",
            run.work_pool_name && (
              <PageLink to={`/work-pools/${encodeURIComponent(run.work_pool_name)}`}>
                {run.work_pool_name} / {run.work_queue_name ?? "default"}
              </PageLink>
            ),
          ],
          ...rerunFacts,
        ]}
      />
      <Facts
        items={[
          ["Scheduled", <Ago time={run.expected_start_time} />],
          ["Started", <Ago time={run.start_time} />],
          ["Ended", <Ago time={run.end_time} />],
        ]}
      />
      <Facts
        items={[
          [
            "Duration",
            run.start_time && <span className="num">{durationLabel(run.estimated_run_time)}</span>,
          ],
          ["Attempts", <span className="num">{run.run_count}</span>],
          ["Tags", run.tags.length > 0 && <TagChips tags={run.tags} />],
        ]}
      />
    </div>
  );
}
