import type { WorkPool, WorkQueue } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Ago } from "../../ui/time.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { InUse } from "./pool-parts.tsx";

/** The queues of a pool, the one that is served first on top. */
export function Queues({ pool }: { readonly pool: WorkPool }): JSX.Element {
  const queries = useQueryClient();
  const [editing, setEditing] = useState<WorkQueue | "new">();
  const [deleting, setDeleting] = useState<WorkQueue>();
  const { data } = useQuery({
    queryKey: ["work-pools", "queues", pool.name],
    queryFn: ({ signal }) => api.workQueues.listInPool(pool.name, {}, { signal }),
  });
  const toggle = async (queue: WorkQueue) => {
    try {
      await api.workQueues.updateInPool(pool.name, queue.name, { is_paused: !queue.is_paused });
      await queries.invalidateQueries({ queryKey: ["work-pools"] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Card
      flush
      title="Queues"
      actions={
        <Button needs="write" small icon="plus" onClick={() => setEditing("new")}>
          New queue
        </Button>
      }
    >
      <Table
        label="Queues"
        rows={data?.toSorted((a, b) => a.priority - b.priority)}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          {
            title: "Priority",
            look: "end",
            cell: ({ priority }) => <span className="num">{priority}</span>,
          },
          {
            title: "Queue",
            look: "fill",
            cell: (queue) => (
              <>
                <div className="cut">{queue.name}</div>
                <span className="narrow-only">
                  <Status of={queue} />
                </span>
              </>
            ),
          },
          {
            title: "In use",
            look: "wide end",
            cell: (one) => <InUse of={one} />,
          },
          {
            title: "Last polled",
            look: "wide",
            cell: ({ last_polled }) => <Ago time={last_polled} />,
          },
          { title: "Status", look: "wide", cell: (queue) => <Status of={queue} /> },
          {
            title: <span className="visually-hidden">Actions</span>,
            cell: (queue) => (
              <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
                <IconButton
                  needs="write"
                  small
                  icon={queue.is_paused ? "play" : "pause"}
                  label={queue.is_paused ? `Resume ${queue.name}` : `Pause ${queue.name}`}
                  onClick={() => void toggle(queue)}
                />
                <IconButton
                  needs="write"
                  small
                  icon="edit"
                  label={`Edit ${queue.name}`}
                  onClick={() => setEditing(queue)}
                />
                {queue.id !== pool.default_queue_id && (
                  <IconButton
                    needs="write"
                    small
                    icon="trash"
                    label={`Delete ${queue.name}`}
                    onClick={() => setDeleting(queue)}
                  />
                )}
              </span>
            ),
          },
        ]}
      />
      {editing && (
        <QueueDialog
          pool={pool}
          queue={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete queue"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.workQueues.deleteInPool(pool.name, deleting.name);
            await queries.invalidateQueries({ queryKey: ["work-pools"] });
          }}
        >
          Its pending runs are left without a queue. This cannot be undone.
        </Confirm>
      )}
    </Card>
  );
}

function Status({ of }: { readonly of: WorkQueue }): JSX.Element {
  return <StateBadge type={of.is_paused ? "PAUSED" : of.status} />;
}

function QueueDialog({
  pool,
  queue,
  onClose,
}: {
  readonly pool: WorkPool;
  readonly queue: WorkQueue | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState(queue?.name ?? "");
  const [priority, setPriority] = useState(String(queue?.priority ?? ""));
  const [limit, setLimit] = useState(String(queue?.concurrency_limit ?? ""));
  const save = async () => {
    const numbers = {
      concurrency_limit: limit === "" ? null : Number(limit),
      ...(priority === "" ? {} : { priority: Number(priority) }),
    };
    if (queue === undefined) await api.workQueues.createInPool(pool.name, { name, ...numbers });
    else await api.workQueues.updateInPool(pool.name, queue.name, { name, ...numbers });
    await queries.invalidateQueries({ queryKey: ["work-pools"] });
  };
  return (
    <SaveDialog
      title={queue === undefined ? "New queue" : `Edit ${queue.name}`}
      canSave={name !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onText={setName} />
      <TextField
        label="Priority"
        hint="1 is the highest priority"
        type="number"
        min={1}
        value={priority}
        onText={setPriority}
      />
      <TextField
        label="Concurrency limit"
        hint="Leave empty for no limit"
        type="number"
        min={0}
        value={limit}
        onText={setLimit}
      />
    </SaveDialog>
  );
}
