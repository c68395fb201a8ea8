import type { Webhook, WebhookWithToken } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Link } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Code, Empty, Notice, Page } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type Asked =
  | { readonly what: "edit"; readonly webhook: Webhook | undefined }
  | { readonly what: "rotate" | "delete"; readonly webhook: Webhook };

/** Addresses that other services send to; each request becomes an event. */
export function WebhooksPage(): JSX.Element {
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<WebhookWithToken>();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["webhooks", "all"],
    queryFn: ({ signal }) => api.webhooks.list({ sort: "NAME_ASC" }, { signal }),
  });
  const close = () => setAsked(undefined);
  const refresh = () => queries.invalidateQueries({ queryKey: ["webhooks"] });
  return (
    <Page
      title="Webhooks"
      about="Addresses that other services send to. Each request becomes an event, which automations can act on."
      actions={
        <Button
          needs="write"
          kind="primary"
          icon="plus"
          onClick={() => setAsked({ what: "edit", webhook: undefined })}
        >
          New webhook
        </Button>
      }
    >
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <Card flush>
        <WebhooksTable webhooks={data} onAsk={setAsked} />
      </Card>
      {asked?.what === "edit" && (
        <WebhookDialog
          webhook={asked.webhook}
          onClose={close}
          onSaved={(made) => {
            close();
            setShown(made);
            void refresh();
          }}
        />
      )}
      {asked?.what === "rotate" && (
        <Confirm
          title={`A new address for ${asked.webhook.name}?`}
          verb="Make a new address"
          onClose={close}
          onConfirm={async () => {
            setShown(await api.webhooks.rotate(asked.webhook.id));
            await refresh();
          }}
        >
          The address that is in use now ends at once.
        </Confirm>
      )}
      {asked?.what === "delete" && (
        <Confirm
          title={`Delete ${asked.webhook.name}?`}
          verb="Delete the webhook"
          onClose={close}
          onConfirm={async () => {
            await api.webhooks.delete(asked.webhook.id);
            await refresh();
          }}
        >
          Whoever sends to it will be refused.
        </Confirm>
      )}
      {shown && <Address webhook={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

/** The only time that the address is shown. */
function Address({
  webhook: { name, path },
  onClose,
}: {
  readonly webhook: WebhookWithToken;
  readonly onClose: () => void;
}): JSX.Element {
  return (
    <ShownOnce
      title={`The address of ${name}`}
      warning="It is shown only now: whoever has it can send. A new one can be made at any time."
      secret={`${location.origin}${path}`}
      onClose={onClose}
    >
      <p className="soft">To try it:</p>
      <Code
        text={`curl ${location.origin}${path} -H 'content-type: application/json' -d '{"hello": "world"}'`}
      />
    </ShownOnce>
  );
}

function WebhooksTable({
  webhooks,
  onAsk,
}: {
  readonly webhooks: readonly Webhook[] | undefined;
  readonly onAsk: (asked: Asked) => void;
}): JSX.Element {
  return (
    <Table
      label="Webhooks"
      rows={webhooks}
      keyOf={({ id }) => id}
      empty={
        <Empty
          icon="link"
          title="No webhooks yet"
          command="orchestrator webhook create door --event door.opened --resource door.1"
        >
          <p>
            Make one, give its address to a code host, a shop or a script, and see what it sends
            among the <Link to="/events">events</Link>.
          </p>
        </Empty>
      }
      columns={[
        {
          title: "Webhook",
          look: "fill",
          cell: ({ name, description }) => (
            <>
              <div className="cut">{name}</div>
              {description && <div className="cut soft">{description}</div>}
            </>
          ),
        },
        {
          title: "Event",
          look: "wide",
          cell: ({ event }) =>
            event === null ? (
              <span className="soft">by its template</span>
            ) : (
              <Link to={pathWith("/events", { name: event })}>{event}</Link>
            ),
        },
        {
          title: "Signed",
          look: "wide",
          cell: ({ signed }) => (signed ? "Yes" : <span className="soft">No</span>),
        },
        { title: "Last request", look: "wide", cell: (webhook) => <Last webhook={webhook} /> },
        {
          title: "Status",
          cell: ({ enabled }) => (
            <StateBadge type={enabled ? "READY" : "PAUSED"} name={enabled ? "On" : "Off"} />
          ),
        },
        {
          title: <span className="visually-hidden">Actions</span>,
          cell: (webhook) => (
            <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
              <IconButton
                needs="write"
                small
                icon="edit"
                label={`Change ${webhook.name}`}
                onClick={() => onAsk({ what: "edit", webhook })}
              />
              <IconButton
                needs="write"
                small
                icon="retry"
                label={`New address for ${webhook.name}`}
                onClick={() => onAsk({ what: "rotate", webhook })}
              />
              <IconButton
                needs="write"
                small
                icon="trash"
                label={`Delete ${webhook.name}`}
                onClick={() => onAsk({ what: "delete", webhook })}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

function Last({
  webhook: { last_received, last_status, last_error },
}: {
  readonly webhook: Webhook;
}): JSX.Element {
  if (last_received === null) return <span className="faint">–</span>;
  const isGood = last_status === "ACCEPTED";
  return (
    <span className="stack-tight" title={last_error ?? undefined}>
      <StateBadge
        type={isGood ? "COMPLETED" : "FAILED"}
        name={(last_status ?? "").replace("_", " ").toLowerCase()}
      />
      <span className="soft">
        <Ago time={last_received} />
      </span>
    </span>
  );
}
