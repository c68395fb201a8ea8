import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { runNames, taskRunNames } from "../../api/names.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";

interface Holder {
  readonly type: string;
  readonly id: string;
}

/** Who holds the slots of a limit, by name where it is a run. */
export function HoldersDialog({
  limit,
  onClose,
}: {
  readonly limit: ConcurrencyLimitState;
  readonly onClose: () => void;
}): JSX.Element {
  const { data } = useQuery({
    queryKey: ["concurrency-limits", "holders", limit.id],
    queryFn: ({ signal }) => api.concurrencyLimits.listHolders(limit.id, {}, { signal }),
  });
  const idsOf = (type: string) =>
    (data ?? []).flatMap(({ holder }) => (holder?.type === type ? [holder.id] : [])).sort();
  const runs = useQuery(runNames(idsOf("flow_run"))).data;
  const tasks = useQuery(taskRunNames(idsOf("task_run"))).data;
  return (
    <Dialog title={`Holders of ${limit.name}`} wide onClose={onClose}>
      <Table
        label="Holders"
        rows={data}
        keyOf={({ lease_id, acquired }) => lease_id ?? acquired}
        empty={<Empty icon="check" title="No holders" />}
        columns={[
          {
            title: "Holder",
            look: "fill",
            cell: ({ holder }) => (
              <div className="cut">
                {holder === null ? "unknown" : <Named holder={holder} runs={runs} tasks={tasks} />}
              </div>
            ),
          },
          {
            title: "Slots",
            look: "end",
            cell: ({ slots }) => <span className="num">{slots}</span>,
          },
          { title: "Acquired", cell: ({ acquired }) => <Ago time={acquired} /> },
          {
            title: "Expires",
            look: "wide",
            cell: ({ expires }) => (expires ? <Ago time={expires} /> : "released"),
          },
        ]}
      />
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

type Names = ReadonlyMap<string, string> | undefined;

function Named({
  holder: { type, id },
  runs,
  tasks,
}: {
  readonly holder: Holder;
  readonly runs: Names;
  readonly tasks: Names;
}): JSX.Element {
  if (type === "flow_run") return <PageLink to={`/runs/${id}`}>{runs?.get(id) ?? id}</PageLink>;
  if (type === "task_run")
    return <PageLink to={`/runs/task-run/${id}`}>{tasks?.get(id) ?? id} (task)</PageLink>;
  return (
    <>
      {type} {id}
    </>
  );
}
