import type { Workspace } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { accounts } from "../../api/accounts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { useSubmit } from "../session/use-submit.ts";
import { handleOf } from "./handle.ts";

/** A new workspace, or another name for one. */
export function WorkspaceDialog({
  accountId,
  workspace,
  onSaved,
  onClose,
}: {
  readonly accountId: string;
  readonly workspace?: Workspace;
  readonly onSaved: (workspace: Workspace) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element {
  const [name, setName] = useState(workspace?.name ?? "");
  const [ownHandle, setHandle] = useState(workspace?.handle);
  const [description, setDescription] = useState(workspace?.description ?? "");
  const handle = ownHandle ?? handleOf(name);
  const { onSubmit, busy, error } = useSubmit(async () => {
    const given = { name: name.trim(), handle, description: description.trim() };
    if (workspace === undefined) {
      await onSaved(await accounts.workspaces.create(accountId, given));
    } else {
      await accounts.workspaces.update(accountId, workspace.id, given);
      await onSaved({ ...workspace, ...given });
    }
  });
  return (
    <Dialog
      title={workspace === undefined ? "New workspace" : `Change ${workspace.name}`}
      onClose={onClose}
    >
      <form className="stack" onSubmit={onSubmit}>
        <Field label="Name">
          {(field) => (
            <Input {...field} value={name} onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        <Field label="Handle" hint="What commands call it: lower-case letters, digits and dashes">
          {(field) => (
            <Input {...field} value={handle} onChange={({ target }) => setHandle(target.value)} />
          )}
        </Field>
        <Field label="Description">
          {(field) => (
            <Input
              {...field}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        {error !== undefined && <Notice kind="error">{error}</Notice>}
        <div className="dialog__foot">
          <Button onClick={onClose}>Close</Button>
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            disabled={name.trim() === "" || handle === ""}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
