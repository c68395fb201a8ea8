import type { ConcurrencyLimitState } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { Link } from "../../app/link.tsx";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Check, Field, Input } from "../../ui/form.tsx";
import { Card, Empty, Notice, Page } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toastError } from "../../ui/toasts.tsx";

export function LimitsPage(): JSX.Element {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<ConcurrencyLimitState>();
  const [deleting, setDeleting] = useState<ConcurrencyLimitState>();
  const { data, error } = useQuery({
    queryKey: ["concurrency-limits", "all"],
    queryFn: ({ signal }) => api.concurrencyLimits.list({}, { signal }),
  });
  const toggle = async (limit: ConcurrencyLimitState, active: boolean) => {
    try {
      await api.concurrencyLimits.update(limit.id, { active });
      await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
    } catch (reason) {
      toastError(reason);
    }
  };
  return (
    <Page
      title="Concurrency limits"
      about="How much may happen at once, and who is holding it"
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          New limit
        </Button>
      }
    >
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <Card flush>
        <Table
          label="Concurrency limits"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty
              icon="limit"
              title="No limits yet"
              command="orchestrator concurrency-limit create database --limit 5"
            >
              <p>
                A limit keeps a database, an API or a licence from being used more than it can bear.
              </p>
            </Empty>
          }
          columns={[
            { title: "Limit", look: "fill", cell: ({ name }) => <div className="cut">{name}</div> },
            { title: "In use", cell: (limit) => <Usage limit={limit} /> },
            {
              title: "Freed",
              look: "wide",
              cell: ({ slot_decay_per_second: rate }) =>
                rate > 0 ? `${rate} per second` : "when given back",
            },
            {
              title: "Active",
              cell: (limit) => (
                <Check
                  label={<span className="visually-hidden">{limit.name} is active</span>}
                  checked={limit.active}
                  onChange={({ target }) => void toggle(limit, target.checked)}
                />
              ),
            },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (limit) => (
                <span className="row" style={{ flexWrap: "nowrap", gap: 4 }}>
                  <Button small onClick={() => setShown(limit)}>
                    Holders
                  </Button>
                  <IconButton
                    small
                    icon="trash"
                    label={`Delete ${limit.name}`}
                    onClick={() => setDeleting(limit)}
                  />
                </span>
              ),
            },
          ]}
        />
      </Card>
      {adding && <NewLimitDialog onClose={() => setAdding(false)} />}
      {shown && <HoldersDialog limit={shown} onClose={() => setShown(undefined)} />}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete the limit"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.concurrencyLimits.delete(deleting.id);
            await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
          }}
        >
          Nothing is held up by it any more.
        </Confirm>
      )}
    </Page>
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

function HoldersDialog({
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
  return (
    <Dialog title={`Who holds ${limit.name}`} wide onClose={onClose}>
      <Table
        label="Holders"
        rows={data}
        keyOf={({ lease_id, acquired }) => lease_id ?? acquired}
        empty={<Empty icon="check" title="Nobody holds it" />}
        columns={[
          {
            title: "Holder",
            look: "fill",
            cell: ({ holder }) =>
              holder?.type === "flow_run" ? (
                <Link to={`/runs/${holder.id}`}>{holder.id}</Link>
              ) : (
                <span className="cut">{holder ? `${holder.type} ${holder.id}` : "unknown"}</span>
              ),
          },
          {
            title: "Slots",
            look: "end",
            cell: ({ slots }) => <span className="num">{slots}</span>,
          },
          { title: "Since", cell: ({ acquired }) => <Ago time={acquired} /> },
          {
            title: "Until",
            look: "wide",
            cell: ({ expires }) => (expires ? <Ago time={expires} /> : "given back"),
          },
        ]}
      />
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function NewLimitDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [limit, setLimit] = useState(1);
  const [decay, setDecay] = useState(0);
  const [error, setError] = useState<string>();
  const save = async () => {
    try {
      await api.concurrencyLimits.create({ name, limit, slot_decay_per_second: decay });
      await queries.invalidateQueries({ queryKey: ["concurrency-limits"] });
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="New limit" onClose={onClose}>
      <Field label="Name">
        {(field) => (
          <Input {...field} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="At most at once">
        {(field) => (
          <Input
            {...field}
            type="number"
            min={0}
            value={limit}
            onChange={({ target }) => setLimit(target.valueAsNumber)}
          />
        )}
      </Field>
      <Field
        label="Slots that become free per second"
        hint="Makes it a rate limit; 0 means that they are given back"
      >
        {(field) => (
          <Input
            {...field}
            type="number"
            min={0}
            step="any"
            value={decay}
            onChange={({ target }) => setDecay(target.valueAsNumber)}
          />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" disabled={name === ""} onClick={() => void save()}>
          Create
        </Button>
      </div>
    </Dialog>
  );
}
