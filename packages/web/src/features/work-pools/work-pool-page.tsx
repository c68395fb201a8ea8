import type { WorkPool } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api, exactApi } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, pathWith } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { NotShown } from "../../ui/not-shown.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, Facts, PageFrame } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { runsPage } from "../runs/run-queries.ts";
import { RunsTable } from "../runs/runs-table.tsx";
import { EditPoolDialog } from "./edit-pool-dialog.tsx";
import { Queues } from "./queues.tsx";

const LIST = { label: "Work pools", to: "/work-pools" };
const CRUMBS = [LIST];

export function WorkPoolPage({ params }: PageProps): JSX.Element {
  const name = params["name"] ?? "";
  const { data, error } = useQuery({
    queryKey: ["work-pools", "one", name],
    queryFn: ({ signal }) => exactApi.workPools.read(name, { signal }),
  });
  if (data) return <Loaded pool={data} />;
  return (
    <PageFrame title={name} crumbs={CRUMBS}>
      <NotShown error={error} what="work pool" list={LIST} />
    </PageFrame>
  );
}

function Loaded({ pool }: { readonly pool: WorkPool }): JSX.Element {
  const runs = useQuery(runsPage({ pool: pool.name }));
  return (
    <PageFrame
      title={pool.name}
      crumbs={CRUMBS}
      about={
        <span className="row">
          <StateBadge type={pool.is_paused ? "PAUSED" : pool.status} />
          {pool.description}
        </span>
      }
      actions={<Actions pool={pool} />}
    >
      <Workers pool={pool} />
      <Queues pool={pool} />
      <Card
        flush
        title="Runs"
        actions={
          <PageLink to={pathWith("/runs", { pool: pool.name, window: "all" })}>View all</PageLink>
        }
      >
        <RunsTable runs={runs.data?.results} empty={<Empty icon="runs" title="No runs yet" />} />
      </Card>
      <Card title="Details">
        <div className="stack">
          <Facts
            items={[
              ["Type", pool.type],
              [
                "Concurrency limit",
                pool.concurrency_limit === null
                  ? "no limit"
                  : `${pool.active_slots ?? 0} of ${pool.concurrency_limit} in use`,
              ],
            ]}
          />
          <details>
            <summary>Base job template</summary>
            <Json label="Base job template" value={pool.base_job_template} />
          </details>
        </div>
      </Card>
    </PageFrame>
  );
}

function Workers({ pool }: { readonly pool: WorkPool }): JSX.Element {
  const { data } = useQuery({
    queryKey: ["workers", pool.name],
    queryFn: ({ signal }) => api.workers.list(pool.name, {}, { signal }),
  });
  return (
    <Card flush title="Workers">
      <Table
        label="Workers"
        rows={data}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon="pool"
            title="No workers"
            command={`orchestrator worker start --pool '${pool.name}'`}
          >
            <p>Runs wait until you start a worker for this pool.</p>
          </Empty>
        }
        columns={[
          { title: "Worker", look: "fill", cell: ({ name }) => <div className="cut">{name}</div> },
          {
            title: "Last heartbeat",
            cell: ({ last_heartbeat_time }) => <Ago time={last_heartbeat_time} />,
          },
          { title: "Status", cell: ({ status }) => <StateBadge type={status} /> },
        ]}
      />
    </Card>
  );
}

function Actions({ pool }: { readonly pool: WorkPool }): JSX.Element {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  const toggle = async () => {
    try {
      await api.workPools.update(pool.name, { is_paused: !pool.is_paused });
      await queries.invalidateQueries({ queryKey: ["work-pools"] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      <Button needs="write" icon={pool.is_paused ? "play" : "pause"} onClick={() => void toggle()}>
        {pool.is_paused ? "Resume" : "Pause"}
      </Button>
      <Button needs="write" icon="edit" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button needs="write" icon="trash" kind="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {editing && <EditPoolDialog pool={pool} onClose={() => setEditing(false)} />}
      {asking && (
        <Confirm
          title={`Delete ${pool.name}?`}
          verb="Delete work pool"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.workPools.delete(pool.name);
            toast("good", `Deleted ${pool.name}`);
            navigate("/work-pools");
          }}
        >
          Its queues are deleted with it, and deployments that use it are left without a pool. This
          cannot be undone.
        </Confirm>
      )}
    </>
  );
}
