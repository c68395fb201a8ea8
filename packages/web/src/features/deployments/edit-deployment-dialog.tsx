import type { Deployment } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";
import { canSend, changesOf, DEPLOYMENT_FORM, draftOf } from "./deployment-form.tsx";

export function EditDeploymentDialog({
  deployment,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  // What it was when the dialog was opened: others may change the rest meanwhile.
  const [before] = useState(() => draftOf(deployment));
  const [draft, setDraft] = useState(before);
  const save = async () => {
    await api.deployments.update(deployment.id, changesOf(deployment, before, draft));
    await queries.invalidateQueries({ queryKey: ["deployments"] });
    toast("good", `Saved ${deployment.name}`);
  };
  return (
    <SaveDialog
      wide
      title={`Edit ${deployment.name}`}
      canSave={canSend(draft)}
      onSave={save}
      onClose={onClose}
    >
      {DEPLOYMENT_FORM.map(({ field, Input }) => (
        <Input
          key={field}
          value={draft[field]}
          onValue={(value) => setDraft((now) => ({ ...now, [field]: value }))}
          deployment={deployment}
          draft={draft}
        />
      ))}
    </SaveDialog>
  );
}
