import type { Sla } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { durationLabel } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Empty } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { toastError } from "../../ui/toasts.tsx";
import { SlaDialog } from "./sla-dialog.tsx";

const WORDS: Readonly<Record<Sla["kind"], (span: string) => string>> = {
  duration: (span) => `A run takes at most ${span}`,
  lateness: (span) => `A run starts at most ${span} late`,
  freshness: (span) => `A run completes at least every ${span}`,
};

const LOOKS: Readonly<Record<Sla["status"], readonly [state: string, word: string]>> = {
  OK: ["COMPLETED", "Met"],
  VIOLATED: ["FAILED", "Violated"],
  DISABLED: ["PAUSED", "Off"],
};

/** What is expected of the runs of deployments, with what is violated first. */
export function SlasPage(): JSX.Element {
  const [editing, setEditing] = useState<Sla | "new">();
  const [deleting, setDeleting] = useState<Sla>();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["deployments", "slas"],
    queryFn: ({ signal }) => api.slas.list({ sort: "NAME_ASC" }, { signal }),
  });
  const names = useQuery(namesOf(data)).data;
  const rows = data?.toSorted((a, b) => rank(a) - rank(b));
  const deploymentLink = (id: string) => (
    <PageLink to={`/deployments/${id}`}>{names?.get(id) ?? id.slice(0, 8)}</PageLink>
  );
  const flip = async ({ id, enabled }: Sla) => {
    try {
      await api.slas.update(id, { enabled: !enabled });
      await queries.invalidateQueries({ queryKey: ["deployments", "slas"] });
    } catch (reason) {
      toastError(reason);
    }
  };
  return (
    <ListPage
      title="SLAs"
      about="Service levels for the runs of deployments. A violation emits an event."
      actions={
        <Button needs="write" kind="primary" icon="plus" onClick={() => setEditing("new")}>
          New SLA
        </Button>
      }
      rows={rows}
      error={error}
      empty={
        <Empty
          icon="clock"
          title="No SLAs yet"
          command="orchestrator sla create my-flow/my-deployment quick --duration 10m"
        >
          <p>
            Set how long runs may take, how late they may start, or how fresh their results must be;
            an automation on <code>orchestrator.sla.violated</code> notifies you of violations.
          </p>
        </Empty>
      }
      columns={[
        {
          title: "Status",
          cell: ({ status }) => <StateBadge type={LOOKS[status][0]} name={LOOKS[status][1]} />,
        },
        {
          title: "SLA",
          look: "fill",
          cell: ({ name, kind, seconds, deployment_id }) => (
            <>
              <div className="cut">{name}</div>
              <div className="cut soft">{WORDS[kind](durationLabel(seconds))}</div>
              <span className="narrow-only">{deploymentLink(deployment_id)}</span>
            </>
          ),
        },
        {
          title: "Deployment",
          look: "wide",
          cell: ({ deployment_id }) => deploymentLink(deployment_id),
        },
        { title: "Severity", look: "wide", cell: ({ severity }) => severity },
        { title: "Violations", look: "wide", cell: (sla) => <Violations sla={sla} /> },
        {
          title: <span className="visually-hidden">Actions</span>,
          cell: (sla) => (
            <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
              <IconButton
                needs="write"
                small
                icon={sla.enabled ? "pause" : "play"}
                label={`${sla.enabled ? "Disable" : "Enable"} ${sla.name}`}
                onClick={() => void flip(sla)}
              />
              <IconButton
                needs="write"
                small
                icon="edit"
                label={`Edit ${sla.name}`}
                onClick={() => setEditing(sla)}
              />
              <IconButton
                needs="write"
                small
                icon="trash"
                label={`Delete ${sla.name}`}
                onClick={() => setDeleting(sla)}
              />
            </span>
          ),
        },
      ]}
    >
      {editing && (
        <SlaDialog
          sla={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete SLA"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.slas.delete(deleting.id);
            await queries.invalidateQueries({ queryKey: ["deployments", "slas"] });
          }}
        >
          Its violation count is deleted with it.
        </Confirm>
      )}
    </ListPage>
  );
}

const rank = ({ status }: Sla): number => ["VIOLATED", "OK", "DISABLED"].indexOf(status);

const namesOf = (slas: readonly Sla[] = []) => {
  const ids = [...new Set(slas.map(({ deployment_id }) => deployment_id))].sort();
  return {
    queryKey: ["deployments", "names of slas", ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const found = await api.deployments.list({ deployments: { id: { any_: ids } } }, { signal });
      return new Map(found.map(({ id, name }) => [id, name]));
    },
  };
};

function Violations({
  sla: { violations, last_violated, last_violated_flow_run_id: run },
}: {
  readonly sla: Sla;
}): JSX.Element {
  if (last_violated === null) return <span className="soft">none</span>;
  return (
    <span className="num nowrap">
      {violations}, last{" "}
      {run ? (
        <PageLink to={`/runs/${run}`}>
          <Ago time={last_violated} />
        </PageLink>
      ) : (
        <Ago time={last_violated} />
      )}
    </span>
  );
}
