import "./account.css";
import type { CreatedApiKey, Role } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useContext, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { hasRole, RoleContext, useMay } from "../../api/rights.ts";
import type { BrowserSession } from "../../api/session.ts";
import { CheckboxField, LabeledField, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { serviceAccountsOf } from "./account-queries.ts";
import { ROLE_WORDS, RoleSelect } from "./role-select.tsx";

const LASTS = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["", "Never"],
] as const;
type Days = (typeof LASTS)[number][0];
const DAY_MS = 86_400_000;

export function KeyDialog({
  accountId,
  session,
  onMade,
  onClose,
}: {
  readonly accountId: string;
  readonly session: BrowserSession;
  readonly onMade: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const own = useContext(RoleContext) ?? "viewer";
  const [name, setName] = useState("");
  const [holder, setHolder] = useState("");
  const [role, setRole] = useState<Role>(hasRole(own, "developer") ? "developer" : own);
  const [days, setDays] = useState<Days>("90");
  const [only, setOnly] = useState<readonly string[] | null>(null);
  const services = useQuery({ ...serviceAccountsOf(accountId), enabled: useMay("manage") });
  const make = async () => {
    const key = await accountsClient.apiKeys.create(accountId, {
      name: name.trim(),
      role,
      service_account_id: holder === "" ? null : holder,
      workspace_ids: only === null ? null : [...only],
      expires: days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    });
    onMade(key);
  };
  const holders = services.data ?? [];
  return (
    <SaveDialog
      title="New API key"
      verb="Create key"
      canSave={name.trim() !== "" && only?.length !== 0}
      onSave={make}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Its purpose, such as ci or laptop"
        value={name}
        onText={setName}
      />
      {holders.length > 0 && (
        <LabeledField label="Owner">
          {(field) => (
            <Select
              {...field}
              value={holder}
              onValue={setHolder}
              options={[
                ["", `${session.me.name} (you)`],
                ...holders.map((one) => [one.id, `${one.name} (service account)`] as const),
              ]}
            />
          )}
        </LabeledField>
      )}
      <LabeledField label="Role" hint={ROLE_WORDS[role]}>
        {(field) => <RoleSelect {...field} role={role} most={own} onRole={setRole} />}
      </LabeledField>
      <LabeledField label="Expires">
        {(field) => <Select {...field} options={LASTS} value={days} onValue={setDays} />}
      </LabeledField>
      <Scope accountId={accountId} session={session} only={only} onOnly={setOnly} />
    </SaveDialog>
  );
}

/** Every workspace of the account, or some. */
function Scope({
  accountId,
  session,
  only,
  onOnly,
}: {
  readonly accountId: string;
  readonly session: BrowserSession;
  readonly only: readonly string[] | null;
  readonly onOnly: (only: readonly string[] | null) => void;
}): JSX.Element {
  const mine = session.workspaces.filter(({ account_id }) => account_id === accountId);
  return (
    <fieldset className="key-scope">
      <legend className="field__label">Workspaces</legend>
      <CheckboxField
        label="All workspaces, including future ones"
        checked={only === null}
        onChange={({ target }) => onOnly(target.checked ? null : [])}
      />
      {only !== null &&
        mine.map(({ workspace_id, workspace_name }) => (
          <CheckboxField
            key={workspace_id}
            label={workspace_name}
            checked={only.includes(workspace_id)}
            onChange={({ target }) =>
              onOnly(
                target.checked ? [...only, workspace_id] : only.filter((id) => id !== workspace_id),
              )
            }
          />
        ))}
    </fieldset>
  );
}
