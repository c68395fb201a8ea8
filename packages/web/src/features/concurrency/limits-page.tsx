import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/rights.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { CheckboxField } from "../../ui/form.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty } from "../../ui/surface.tsx";
import { useSwitch } from "../../ui/use-switch.ts";
import { HoldersDialog } from "./holders-dialog.tsx";
import { LimitDialog } from "./limit-dialog.tsx";
import { LimitName, useDeploymentsOf } from "./limit-name.tsx";

export function LimitsPage(): JSX.Element {
  const queries = useQueryClient();
  const [editing, setEditing] = useState<ConcurrencyLimitState | "new">();
  const [shown, setShown] = useState<ConcurrencyLimitState>();
  const [deleting, setDeleting] = useState<ConcurrencyLimitState>();
  const { data, error } = useQuery({
    queryKey: ["concurrency-limits", "all"],
    queryFn: ({ signal }) => api.concurrencyLimits.list({}, { signal }),
  });
  const deployments = useDeploymentsOf(data);
  return (
    <ListPage
      title="Concurrency limits"
      about="How many slots each limit has, and who holds them"
      actions={
        <Button needs="write" kind="primary" icon="plus" onClick={() => setEditing("new")}>
          New limit
        </Button>
      }
      rows={data}
      error={error}
      empty={
        <Empty
          icon="limit"
          title="No limits yet"
          command="orchestrator global-concurrency-limit create database --limit 5"
        >
          <p>A limit protects a database, an API or a license from overload.</p>
        </Empty>
      }
      columns={[
        {
          title: "Limit",
          look: "fill",
          cell: ({ name }) => <LimitName name={name} deployments={deployments} />,
        },
        { title: "In use", cell: (limit) => <Usage limit={limit} /> },
        {
          title: "Slot decay",
          look: "wide",
          cell: ({ slot_decay_per_second: rate }) => (
            <span className="nowrap">{rate > 0 ? `${rate} per second` : "on release"}</span>
          ),
        },
        {
          title: "Active",
          cell: (limit) => <Active limit={limit} />,
        },
        {
          title: <span className="visually-hidden">Actions</span>,
          cell: (limit) => (
            <span className="row" style={{ flexWrap: "nowrap", gap: 4 }}>
              <IconButton
                small
                icon="user"
                label={`Holders of ${limit.name}`}
                onClick={() => setShown(limit)}
              />
              <IconButton
                needs="write"
                small
                icon="edit"
                label={`Edit ${limit.name}`}
                onClick={() => setEditing(limit)}
              />
              <IconButton
                needs="write"
                small
                icon="trash"
                label={`Delete ${limit.name}`}
                onClick={() => setDeleting(limit)}
              />
            </span>
          ),
        },
      ]}
    >
      {editing && (
        <LimitDialog
          limit={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {shown && <HoldersDialog limit={shown} onClose={() => setShown(undefined)} />}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete limit"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.concurrencyLimits.delete(deleting.id);
            await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
          }}
        >
          It no longer holds up any runs.
        </Confirm>
      )}
    </ListPage>
  );
}

function Active({ limit }: { readonly limit: ConcurrencyLimitState }): JSX.Element {
  const queries = useQueryClient();
  const [isActive, flip] = useSwitch(limit.active, async (active) => {
    await api.concurrencyLimits.update(limit.id, { active });
    await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
  });
  return (
    <CheckboxField
      label={<span className="visually-hidden">{limit.name} is active</span>}
      checked={isActive}
      disabled={!useMay("write")}
      onChange={flip}
    />
  );
}

function Usage({ limit }: { readonly limit: ConcurrencyLimitState }): JSX.Element {
  const { active_slots, limit: most } = limit;
  return (
    <span className="row" style={{ flexWrap: "nowrap" }}>
      <span className="meter" style={{ width: 80 }} aria-hidden="true">
        <span style={{ width: `${Math.min(100, (active_slots / Math.max(1, most)) * 100)}%` }} />
      </span>
      <span className="num nowrap">
        {active_slots} of {most}
      </span>
    </span>
  );
}
