import type { FlowRun, NamedThing } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import { lasting } from "../../lib/time.ts";
import { Link } from "../../navigation/link.tsx";
import { useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Tabs } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { isNotFound, NotShown } from "../../ui/not-shown.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Facts, Notice, Page, Tags } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { Obstacles } from "./obstacles.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunArtifacts } from "./run-artifacts.tsx";
import { RunLogs } from "./run-logs.tsx";
import { originOf, runOf } from "./run-page-queries.ts";
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
  const { data: run, error } = useQuery(runOf(id));
  if (run === undefined || isNotFound(error))
    return (
      <Page title="Run" crumbs={[LIST]}>
        <NotShown error={error} what="run" list={LIST} />
      </Page>
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
    <Page
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
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <Obstacles run={run} />
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
    </Page>
  );
}

/** A subflow belongs to the run whose task it is. */
function ParentRun({ task }: { readonly task: NamedThing | undefined }): JSX.Element | null {
  if (!task?.belongs_to_id) return null;
  return <Link to={`/runs/${task.belongs_to_id}`}>{task.belongs_to ?? task.belongs_to_id}</Link>;
}

function RunFacts({ run }: { readonly run: FlowRun }): JSX.Element {
  const origin = useQuery(originOf(run)).data;
  const { deployment_id } = run;
  return (
    <div className="grid">
      <Facts
        items={[
          ["Flow", <Link to={`/flows/${run.flow_id}`}>{origin?.flow ?? run.flow_id}</Link>],
          [
            "Deployment",
            deployment_id && (
              <Link to={`/deployments/${deployment_id}`}>
                {origin?.deployment ?? deployment_id}
              </Link>
            ),
          ],
          ...(run.parent_task_run_id === null
            ? []
            : [["Parent run", <ParentRun task={origin?.parent} />] as const]),
          [
            "Work pool",
            run.work_pool_name && (
              <Link to={`/work-pools/${encodeURIComponent(run.work_pool_name)}`}>
                {run.work_pool_name} / {run.work_queue_name ?? "default"}
              </Link>
            ),
          ],
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
            run.start_time && <span className="num">{lasting(run.estimated_run_time)}</span>,
          ],
          ["Attempts", <span className="num">{run.run_count}</span>],
          ["Tags", run.tags.length > 0 && <Tags tags={run.tags} />],
        ]}
      />
    </div>
  );
}
