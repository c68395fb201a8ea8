import type { Member } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useContext, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { hasRole, RoleContext } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { errorText } from "../../lib/error-text.ts";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { membersQuery } from "./account-queries.ts";
import { Invitations } from "./invitations.tsx";
import type { PartProps } from "./part-props.ts";
import { RoleSelect } from "./role-select.tsx";

export function Members({ accountId, session }: PartProps): JSX.Element {
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Member>();
  const own = useContext(RoleContext) ?? "viewer";
  const { data, error } = useQuery(membersQuery(accountId));
  const isMe = ({ user_id }: Member) => user_id === session.me.id;
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: ["account", accountId] });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const setRole = async (member: Member, role: Member["role"]) => {
    try {
      await accountsClient.members.update(accountId, member.user_id, { role });
      toast("good", `${member.name} is now ${role}`);
    } catch (reason) {
      toastError(reason);
    }
    await changed();
  };
  return (
    <>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card flush title="Members">
        <Table
          label="Members"
          rows={data}
          keyOf={({ user_id }) => user_id}
          empty={<Empty icon="people" title="No members" />}
          columns={[
            {
              title: "Name",
              look: "fill",
              cell: (member) => (
                <div className="stack-tight" style={{ gap: 0 }}>
                  <span>
                    {member.name} {isMe(member) && <span className="soft">(you)</span>}
                  </span>
                  <span className="soft" style={{ overflowWrap: "anywhere" }}>
                    {member.email}
                  </span>
                </div>
              ),
            },
            {
              title: "Role",
              cell: (member) => (
                <div style={{ width: 124 }}>
                  <RoleSelect
                    aria-label={`Role of ${member.name}`}
                    role={member.role}
                    most={own}
                    disabled={!hasRole(own, member.role)}
                    onRole={(role) => void setRole(member, role)}
                  />
                </div>
              ),
            },
            { title: "Joined", look: "wide", cell: ({ created }) => <Ago time={created} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (member) => (
                <IconButton
                  small
                  icon="trash"
                  label={`Remove ${member.name}`}
                  needs="manage"
                  disabled={!hasRole(own, member.role)}
                  onClick={() => setLeaving(member)}
                />
              ),
            },
          ]}
        />
      </Card>
      <Invitations accountId={accountId} />
      {leaving && (
        <Confirm
          title={`Remove ${leaving.name}?`}
          verb={isMe(leaving) ? "Leave account" : "Remove member"}
          onClose={() => setLeaving(undefined)}
          onConfirm={async () => {
            await accountsClient.members.remove(accountId, leaving.user_id);
            await changed();
          }}
        >
          Their keys and sessions lose access immediately. What they created stays.
        </Confirm>
      )}
    </>
  );
}
