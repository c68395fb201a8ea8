import type { ApiKey, CreatedApiKey } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { useMay } from "../../api/rights.ts";
import type { BrowserSession } from "../../api/session.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Card, Code, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { keysOf, membersQuery, serviceAccountsOf } from "./account-queries.ts";
import { KeyDialog } from "./key-dialog.tsx";
import type { PartProps } from "./part-props.ts";

export function Keys({ accountId, session }: PartProps): JSX.Element {
  const queries = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const mayManage = useMay("manage");
  const { data, error } = useQuery(keysOf(accountId));
  const nameOf = useHolders(accountId, session);
  const changed = () => queries.invalidateQueries({ queryKey: ["account", accountId] });
  return (
    <>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card
        flush
        title={mayManage ? "API keys" : "Your API keys"}
        actions={
          <Button small icon="plus" onClick={() => setMaking(true)}>
            New key
          </Button>
        }
      >
        <Table
          label="API keys"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="key" title="No keys yet">
              <p>Programs, workers and the command line authenticate with a key.</p>
            </Empty>
          }
          columns={[
            {
              title: "Name",
              look: "fill",
              cell: (key) => (
                <div className="stack-tight" style={{ gap: 0 }}>
                  <span>{key.name}</span>
                  <code className="soft">{key.prefix}…</code>
                </div>
              ),
            },
            { title: "Owner", look: "wide", cell: (key) => nameOf(key) },
            { title: "Role", cell: ({ role }) => role },
            {
              title: "Workspaces",
              look: "wide",
              cell: ({ workspace_ids }) => (
                <span className={workspace_ids === null ? "nowrap" : undefined}>
                  {scopeText(workspace_ids, session)}
                </span>
              ),
            },
            { title: "Expires", look: "wide", cell: ({ expires }) => <Expiry time={expires} /> },
            { title: "Last used", look: "wide", cell: ({ last_used }) => <Ago time={last_used} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (key) => (
                <IconButton
                  small
                  icon="trash"
                  label={`Revoke ${key.name}`}
                  onClick={() => setRevoking(key)}
                />
              ),
            },
          ]}
        />
      </Card>
      {isMaking && (
        <KeyDialog
          accountId={accountId}
          session={session}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMade(key);
            void changed();
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={`Key ${made.name}`}
          secret={made.key}
          warning="Copy the key now: it is not shown again. Store it like a password."
          onClose={() => setMade(undefined)}
        >
          <p className="soft">On a terminal, this command asks for it:</p>
          <Code text={`orchestrator cloud login --url ${location.origin}/api`} />
        </ShownOnce>
      )}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          verb="Revoke key"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await accountsClient.apiKeys.revoke(accountId, revoking.id);
            await changed();
          }}
        >
          Requests with it are rejected from now on, and open connections are closed.
        </Confirm>
      )}
    </>
  );
}

function Expiry({ time }: { readonly time: string | null }): JSX.Element {
  if (time === null) return <span className="soft">never</span>;
  return Date.parse(time) < Date.now() ? (
    <span className="soft">expired</span>
  ) : (
    <Ago time={time} />
  );
}

function scopeText(ids: readonly string[] | null, { workspaces }: BrowserSession): string {
  if (ids === null) return "all workspaces";
  const names = ids.map(
    (id) => workspaces.find(({ workspace_id }) => workspace_id === id)?.workspace_name,
  );
  const known = names.filter((name) => name !== undefined);
  return known.length === ids.length ? known.join(", ") : `${ids.length} workspaces`;
}

/** Whose key it is. Only those who manage the account see keys of others. */
function useHolders(accountId: string, { me }: BrowserSession): (key: ApiKey) => string {
  const enabled = useMay("manage");
  const members = useQuery({ ...membersQuery(accountId), enabled }).data ?? [];
  const services = useQuery({ ...serviceAccountsOf(accountId), enabled }).data ?? [];
  return ({ user_id, service_account_id }) => {
    if ((user_id ?? service_account_id) === me.id) return "you";
    const member = members.find((one) => one.user_id === user_id);
    const service = services.find(({ id }) => id === service_account_id);
    return member?.name ?? service?.name ?? "–";
  };
}
