import type { Workspace } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { accountsClient } from "../../api/accounts.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
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
  const save = async () => {
    const given = { name: name.trim(), handle, description: description.trim() };
    if (workspace === undefined) {
      await onSaved(await accountsClient.workspaces.create(accountId, given));
    } else {
      await accountsClient.workspaces.update(accountId, workspace.id, given);
      await onSaved({ ...workspace, ...given });
    }
  };
  return (
    <SaveDialog
      title={workspace === undefined ? "New workspace" : `Edit ${workspace.name}`}
      canSave={name.trim() !== "" && handle !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onText={setName} />
      <TextField
        label="Handle"
        hint="Used in commands: lowercase letters, digits and dashes"
        value={handle}
        onText={setHandle}
      />
      <TextField label="Description" value={description} onText={setDescription} />
    </SaveDialog>
  );
}
