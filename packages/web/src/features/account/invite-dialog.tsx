import type { CreatedInvitation, Role } from "@orchestrator/contract";
import { type JSX, useContext, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { RoleContext } from "../../api/rights.ts";
import { LabeledField } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ROLE_WORDS, RoleSelect } from "./role-select.tsx";

export function InviteDialog({
  accountId,
  onMade,
  onClose,
}: {
  readonly accountId: string;
  readonly onMade: (invitation: CreatedInvitation) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("developer");
  const own = useContext(RoleContext) ?? "viewer";
  const invite = async () => {
    onMade(await accountsClient.invitations.create(accountId, { email: email.trim(), role }));
  };
  return (
    <SaveDialog
      title="Invite a user"
      verb="Create link"
      canSave={email.trim() !== ""}
      onSave={invite}
      onClose={onClose}
    >
      <TextField label="Email" type="email" autoComplete="off" value={email} onText={setEmail} />
      <LabeledField label="Role" hint={ROLE_WORDS[role]}>
        {(field) => <RoleSelect {...field} role={role} most={own} onRole={setRole} />}
      </LabeledField>
    </SaveDialog>
  );
}
