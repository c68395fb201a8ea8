import type { Webhook, WebhookWithToken } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Code, Empty, NoticeBox, PageFrame } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

type WebhookDialogRequest =
  | { readonly what: "edit"; readonly webhook: Webhook | undefined }
  | { readonly what: "rotate" | "delete"; readonly webhook: Webhook };

/** Addresses that other services send to; each request becomes an event. */
export function WebhooksPage(): JSX.Element {
  const [asked, setAsked] = useState<WebhookDialogRequest>();
  const [shown, setShown] = useState<WebhookWithToken>();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["webhooks", "all"],
    queryFn: ({ signal }) => api.webhooks.list({ sort: "NAME_ASC" }, { signal }),
  });
  const close = () => setAsked(undefined);
  const refresh = () => queries.invalidateQueries({ queryKey: ["webhooks"] });
  return (
    <PageFrame
      title="Webhooks"
      about="URLs that other services send requests to. Each request becomes an event that automations can act on."
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
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
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
          title={`Rotate the URL of ${asked.webhook.name}?`}
          verb="Rotate URL"
          onClose={close}
          onConfirm={async () => {
            setShown(await api.webhooks.rotate(asked.webhook.id));
            await refresh();
          }}
        >
          The current URL stops working immediately.
        </Confirm>
      )}
      {asked?.what === "delete" && (
        <Confirm
          title={`Delete ${asked.webhook.name}?`}
          verb="Delete webhook"
          onClose={close}
          onConfirm={async () => {
            await api.webhooks.delete(asked.webhook.id);
            await refresh();
          }}
        >
          Requests to its URL will be rejected.
        </Confirm>
      )}
      {shown && <Address webhook={shown} onClose={() => setShown(undefined)} />}
    </PageFrame>
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
      title={`URL of ${name}`}
      warning="Copy it now: it is not shown again. Anyone who has it can send events. You can rotate it at any time."
      secret={`${location.origin}${path}`}
      onClose={onClose}
    >
      <p className="soft">To test it:</p>
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
  readonly onAsk: (asked: WebhookDialogRequest) => void;
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
            Create a webhook, give its URL to a code host, a shop or a script, and see its requests
            in the <PageLink to="/events">events</PageLink>.
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
              <span className="soft">from template</span>
            ) : (
              <PageLink to={pathWith("/events", { name: event })}>{event}</PageLink>
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
                label={`Edit ${webhook.name}`}
                onClick={() => onAsk({ what: "edit", webhook })}
              />
              <IconButton
                needs="write"
                small
                icon="retry"
                label={`Rotate URL of ${webhook.name}`}
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
