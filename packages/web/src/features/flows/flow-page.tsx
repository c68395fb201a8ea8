import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { StateBars, StateLegend } from "../../charts/state-bars.tsx";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { isNotFound, NotShown } from "../../ui/not-shown.tsx";
import { Card, Empty, NoticeBox, PageFrame, Skeleton, TagChips } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { DeploymentsTable } from "../deployments/deployments-table.tsx";
import { runsHistory, runsPage } from "../runs/run-queries.ts";
import { RunsTable } from "../runs/runs-table.tsx";

const LIST = { label: "Flows", to: "/flows" };
const CRUMBS = [LIST];

export function FlowPage({ params }: PageProps): JSX.Element {
  const id = params["id"] ?? "";
  const [asking, setAsking] = useState(false);
  const flow = useQuery({
    queryKey: ["flows", "one", id],
    queryFn: ({ signal }) => api.flows.read(id, { signal }),
  });
  const history = useQuery(runsHistory({ flow: id, window: "7d" }));
  const runs = useQuery(runsPage({ flow: id }));
  const deployments = useQuery({
    queryKey: ["deployments", "of-flow", id],
    queryFn: ({ signal }) =>
      api.deployments.list({ flows: { id: { any_: [id] } }, limit: 100 }, { signal }),
  });
  if (isNotFound(flow.error) || (flow.error && flow.data === undefined))
    return (
      <PageFrame title="Flow" crumbs={CRUMBS}>
        <NotShown error={flow.error} what="flow" list={LIST} />
      </PageFrame>
    );
  const name = flow.data?.name ?? "…";
  return (
    <PageFrame
      title={name}
      crumbs={CRUMBS}
      about={<TagChips tags={flow.data?.tags ?? []} />}
      actions={
        <Button needs="write" icon="trash" kind="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      }
    >
      {flow.error && <NoticeBox kind="error">{errorText(flow.error)}</NoticeBox>}
      {flow.data === undefined && <Skeleton />}
      <Card
        title={
          <StateLegend
            intervals={history.data}
            linkTo={(state) => pathWith("/runs", { flow: id, states: [state] })}
          />
        }
      >
        <StateBars
          intervals={history.data ?? []}
          onPick={(from, to) => navigate(pathWith("/runs", { flow: id, from, to }))}
        />
      </Card>
      <Card flush title="Deployments">
        <DeploymentsTable
          isOfOneFlow
          deployments={deployments.data}
          empty={
            <Empty icon="deployment" title="No deployments yet" command="orchestrator deploy">
              <p>
                A deployment lets you start a flow from here, on a schedule or by an automation.
              </p>
            </Empty>
          }
        />
      </Card>
      <Card
        flush
        title="Runs"
        actions={<PageLink to={pathWith("/runs", { flow: id, window: "all" })}>View all</PageLink>}
      >
        <RunsTable
          isOfOneFlow
          runs={runs.data?.results}
          empty={<Empty icon="runs" title="No runs yet" />}
        />
      </Card>
      {asking && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete flow"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.flows.delete(id);
            toast("good", `Deleted ${name}`);
            navigate("/flows");
          }}
        >
          Its deployments and runs are deleted with it. This cannot be undone.
        </Confirm>
      )}
    </PageFrame>
  );
}
