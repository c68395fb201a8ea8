import type { Role, ServiceAccount } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useContext, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { hasRole, RoleContext } from "../../api/rights.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LabeledField } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Ago } from "../../ui/time.tsx";
import { serviceAccountsOf } from "./account-queries.ts";
import type { PartProps } from "./part-props.ts";
import { ROLE_WORDS, RoleSelect } from "./role-select.tsx";

/** Programs that have keys of their own, which stay when people go. */
export function ServiceAccounts({ accountId }: PartProps): JSX.Element {
  const queries = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<ServiceAccount>();
  const own = useContext(RoleContext) ?? "viewer";
  const { data, error } = useQuery(serviceAccountsOf(accountId));
  const changed = () => queries.invalidateQueries({ queryKey: ["account", accountId] });
  return (
    <>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Card
        flush
        title="Service accounts"
        actions={
          <Button small icon="plus" needs="manage" onClick={() => setMaking(true)}>
            New service account
          </Button>
        }
      >
        <Table
          label="Service accounts"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="robot" title="No service accounts">
              <p>
                A program that belongs to no user, such as a worker, gets its keys through a service
                account.
              </p>
            </Empty>
          }
          columns={[
            { title: "Name", look: "fill", cell: ({ name }) => name },
            { title: "Role", cell: ({ role }) => role },
            { title: "Created", look: "wide", cell: ({ created }) => <Ago time={created} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (service) => (
                <IconButton
                  small
                  icon="trash"
                  label={`Delete ${service.name}`}
                  needs="manage"
                  disabled={!hasRole(own, service.role)}
                  onClick={() => setDeleting(service)}
                />
              ),
            },
          ]}
        />
      </Card>
      {isMaking && (
        <ServiceDialog
          accountId={accountId}
          own={own}
          onClose={() => setMaking(false)}
          onMade={changed}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete service account"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await accountsClient.serviceAccounts.delete(accountId, deleting.id);
            await changed();
          }}
        >
          Its keys are deleted with it: requests with them are rejected from now on.
        </Confirm>
      )}
    </>
  );
}

function ServiceDialog({
  accountId,
  own,
  onMade,
  onClose,
}: {
  readonly accountId: string;
  readonly own: Role;
  readonly onMade: () => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("runner");
  const make = async () => {
    await accountsClient.serviceAccounts.create(accountId, { name: name.trim(), role });
    await onMade();
  };
  return (
    <SaveDialog
      title="New service account"
      verb="Create"
      canSave={name.trim() !== ""}
      onSave={make}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onText={setName} />
      <LabeledField label="Role" hint={ROLE_WORDS[role]}>
        {(field) => <RoleSelect {...field} role={role} most={own} onRole={setRole} />}
      </LabeledField>
    </SaveDialog>
  );
}
