import type { Deployment } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api, exactApi } from "../../api/client.ts";
import { flowNamesQuery } from "../../api/names.ts";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, Facts, PageFrame, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { runsHistory, runsPage } from "../runs/run-queries.ts";
import { RunsTable } from "../runs/runs-table.tsx";
import { BackfillDialog } from "./backfill-dialog.tsx";
import { Backfills } from "./backfills.tsx";
import { EditDeploymentDialog } from "./edit-deployment-dialog.tsx";
import { whyNotReady } from "./readiness-words.ts";
import { RunDialog } from "./run-dialog.tsx";
import { Schedules } from "./schedules.tsx";

const LIST = { label: "Deployments", to: "/deployments" };
const CRUMBS = [LIST];

export function DeploymentPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const { data, error } = useQuery({
    queryKey: ["deployments", "one", id],
    queryFn: ({ signal }) => exactApi.deployments.read(id, { signal }),
  });
  if (data) return <Loaded deployment={data} />;
  return (
    <PageFrame title="Deployment" crumbs={CRUMBS}>
      <NotShown error={error} what="deployment" list={LIST} />
    </PageFrame>
  );
}

function Loaded({ deployment }: { readonly deployment: Deployment }): JSX.Element {
  const { id, name, flow_id } = deployment;
  const unready = whyNotReady(deployment);
  const flow = useQuery(flowNamesQuery([flow_id])).data?.get(flow_id);
  const history = useQuery(runsHistory({ deployment: id, window: "7d" }));
  const runs = useQuery(runsPage({ deployment: id }));
  // Few people come for them: they are asked for when somebody wants to see them.
  const [showsBackfills, setShowsBackfills] = useState(false);
  return (
    <PageFrame
      title={name}
      crumbs={CRUMBS}
      about={
        <span className="row">
          <StateBadge type={deployment.paused ? "PAUSED" : deployment.status} />
          {unready !== undefined && <span>{unready}</span>}
          <PageLink to={`/flows/${flow_id}`}>{flow ?? "…"}</PageLink>
          <TagChips tags={deployment.tags} />
        </span>
      }
      actions={<Actions deployment={deployment} onBackfills={() => setShowsBackfills(true)} />}
    >
      {deployment.description && <Markdown text={deployment.description} />}
      <Card
        title={
          <StateLegend
            intervals={history.data}
            linkTo={(state) => pathWith("/runs", { deployment: id, states: [state] })}
          />
        }
      >
        <StateBars
          intervals={history.data ?? []}
          onPick={(from, to) => navigate(pathWith("/runs", { deployment: id, from, to }))}
        />
      </Card>
      <div className="grid">
        <Schedules deployment={deployment} />
        <Card title="Details">
          <div className="stack">
            <Facts
              items={[
                [
                  "Work pool",
                  deployment.work_pool_name && (
                    <PageLink to={`/work-pools/${encodeURIComponent(deployment.work_pool_name)}`}>
                      {deployment.work_pool_name}
                    </PageLink>
                  ),
                ],
                ["Queue", deployment.work_queue_name],
                ["Entrypoint", deployment.entrypoint && <code>{deployment.entrypoint}</code>],
                ["Version", deployment.version],
                [
                  "Concurrency limit",
                  deployment.global_concurrency_limit?.limit ?? deployment.concurrency_limit,
                ],
                ["Last polled", <Ago key="polled" time={deployment.last_polled} />],
                ["Updated", <Ago key="updated" time={deployment.updated} />],
              ]}
            />
            <h3>Parameters</h3>
            <Json label="Parameters" value={deployment.parameters} />
          </div>
        </Card>
      </div>
      {showsBackfills && <Backfills deploymentId={id} />}
      <Card
        flush
        title="Runs"
        actions={
          <PageLink to={pathWith("/runs", { deployment: id, window: "all" })}>View all</PageLink>
        }
      >
        <RunsTable runs={runs.data?.results} empty={<Empty icon="runs" title="No runs yet" />} />
      </Card>
    </PageFrame>
  );
}

function Actions({
  deployment,
  onBackfills,
}: {
  readonly deployment: Deployment;
  readonly onBackfills: () => void;
}): JSX.Element {
  const { id, name, paused } = deployment;
  const queries = useQueryClient();
  const [asking, setAsking] = useState<"run" | "edit" | "backfill" | "delete">();
  const close = () => setAsking(undefined);
  const toggle = async () => {
    try {
      await (paused ? api.deployments.resume(id) : api.deployments.pause(id));
      toast(
        "good",
        paused
          ? "Deployment resumed: its schedules create runs again"
          : "Deployment paused: its schedules create no more runs",
      );
      await queries.invalidateQueries({ queryKey: ["deployments"] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      <Button needs="run" kind="primary" icon="play" onClick={() => setAsking("run")}>
        Run
      </Button>
      <Button needs="write" icon={paused ? "play" : "pause"} onClick={() => void toggle()}>
        {paused ? "Resume" : "Pause"}
      </Button>
      <Button needs="write" icon="clock" onClick={() => setAsking("backfill")}>
        Backfill
      </Button>
      <Button needs="write" icon="edit" onClick={() => setAsking("edit")}>
        Edit
      </Button>
      <Button needs="write" icon="trash" kind="danger" onClick={() => setAsking("delete")}>
        Delete
      </Button>
      {asking === "run" && <RunDialog deployment={deployment} onClose={close} />}
      {asking === "backfill" && (
        <BackfillDialog deployment={deployment} onShow={onBackfills} onClose={close} />
      )}
      {asking === "edit" && <EditDeploymentDialog deployment={deployment} onClose={close} />}
      {asking === "delete" && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete deployment"
          onClose={close}
          onConfirm={async () => {
            await api.deployments.delete(id);
            toast("good", `Deleted ${name}`);
            navigate("/deployments");
          }}
        >
          Its pending runs are deleted; runs that have started are kept. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
