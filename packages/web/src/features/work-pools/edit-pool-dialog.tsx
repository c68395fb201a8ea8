import type { WorkPool, WorkPoolUpdate } from "@orchestrator/contract";
import { writeReadableJson } from "@orchestrator/exact-json";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { parseObject } from "../../lib/read-object.ts";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextAreaField, TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";

/** What can be changed of a pool; only that is sent which was changed. */
export function EditPoolDialog({
  pool,
  onClose,
}: {
  readonly pool: WorkPool;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  // What it was when the dialog was opened: others may change the rest meanwhile.
  const [before] = useState({
    description: pool.description ?? "",
    limit: String(pool.concurrency_limit ?? ""),
    template: writeReadableJson(pool.base_job_template),
  });
  const [description, setDescription] = useState(before.description);
  const [limit, setLimit] = useState(before.limit);
  const [template, setTemplate] = useState(before.template);
  const read = parseObject(template);
  const save = async () => {
    const changes: WorkPoolUpdate = {
      ...(description !== before.description && { description: description || null }),
      ...(limit !== before.limit && { concurrency_limit: limit === "" ? null : Number(limit) }),
      ...(template !== before.template && { base_job_template: read.value }),
    };
    await api.workPools.update(pool.name, changes);
    await queries.invalidateQueries({ queryKey: ["work-pools"] });
    toast("good", `Saved ${pool.name}`);
  };
  return (
    <SaveDialog
      wide
      title={`Edit ${pool.name}`}
      canSave={read.problem === undefined}
      onSave={save}
      onClose={onClose}
    >
      <TextAreaField
        label="Description"
        rows={2}
        style={{ fontFamily: "inherit" }}
        value={description}
        onText={setDescription}
      />
      <TextField
        label="Concurrency limit"
        hint="Leave empty for no limit"
        type="number"
        min={0}
        value={limit}
        onText={setLimit}
      />
      <TextAreaField
        label="Base job template"
        hint="How a worker starts runs, and which variables deployments may set"
        rows={14}
        value={template}
        error={read.problem}
        onText={setTemplate}
      />
    </SaveDialog>
  );
}
