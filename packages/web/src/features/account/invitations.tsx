import type { CreatedInvitation, Invitation } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { invitationsOf } from "./account-queries.ts";
import { InviteDialog } from "./invite-dialog.tsx";

/** People who may join, and have not yet. */
export function Invitations({ accountId }: { readonly accountId: string }): JSX.Element {
  const queries = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<CreatedInvitation>();
  const [revoking, setRevoking] = useState<Invitation>();
  const { data, error } = useQuery(invitationsOf(accountId));
  const changed = () => queries.invalidateQueries({ queryKey: ["account", accountId] });
  return (
    <>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card
        flush
        title="Invitations"
        actions={
          <Button small icon="plus" needs="manage" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
      >
        <Table
          label="Invitations"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="people" title="No pending invitations">
              <p>An invitation is a link that you share. It is valid for 7 days.</p>
            </Empty>
          }
          columns={[
            {
              title: "Email",
              look: "fill",
              cell: ({ email }) => <span style={{ overflowWrap: "anywhere" }}>{email}</span>,
            },
            { title: "Role", cell: ({ role }) => role },
            { title: "Expires", look: "wide", cell: ({ expires }) => <Ago time={expires} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (invitation) => (
                <IconButton
                  small
                  icon="trash"
                  label={`Revoke invitation for ${invitation.email}`}
                  needs="manage"
                  onClick={() => setRevoking(invitation)}
                />
              ),
            },
          ]}
        />
      </Card>
      {isInviting && (
        <InviteDialog
          accountId={accountId}
          onClose={() => setInviting(false)}
          onMade={(invitation) => {
            setMade(invitation);
            void changed();
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={`Invitation for ${made.email}`}
          secret={new URL(made.link, location.origin).href}
          warning="Copy the link now and send it: it is not shown again. Anyone who has it can join."
          onClose={() => setMade(undefined)}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke invitation for ${revoking.email}?`}
          verb="Revoke invitation"
          onClose={() => setRevoking(undefined)}
          onConfirm={async () => {
            await accountsClient.invitations.revoke(accountId, revoking.id);
            await changed();
          }}
        >
          The link stops working.
        </Confirm>
      )}
    </>
  );
}
