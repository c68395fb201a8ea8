import type { CreatedInvitation, Role } from "@orchestrator/contract";
import { type JSX, useContext, useState } from "react";
import { accounts } from "../../api/accounts.ts";
import { RoleContext } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { useSubmit } from "../session/use-submit.ts";
import { ROLE_WORDS, RoleSelect } from "./role-select.tsx";

export function InviteDialog({
  accountId,
  onMade,
  onClose,
}: {
  readonly accountId: string;
  readonly onMade: (invitation: CreatedInvitation) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("developer");
  const own = useContext(RoleContext) ?? "viewer";
  const { onSubmit, busy, error } = useSubmit(async () => {
    await onMade(await accounts.invitations.create(accountId, { email: email.trim(), role }));
  });
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Email">
          {(field) => (
            <Input
              {...field}
              type="email"
              autoComplete="off"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Field>
        <Field label="Role" hint={ROLE_WORDS[role]}>
          {(field) => <RoleSelect {...field} role={role} most={own} onRole={setRole} />}
        </Field>
        {error !== undefined && <Notice kind="error">{error}</Notice>}
        <div className="dialog__foot">
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={email.trim() === ""}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
