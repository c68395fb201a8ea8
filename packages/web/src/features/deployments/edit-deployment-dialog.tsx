import type { Deployment, DeploymentUpdate } from "@orchestrator/contract";
import { writeReadableJson } from "@orchestrator/exact-json";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { readObject } from "../../lib/read-object.ts";
import { Field, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { TextAreaField, TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { parametersOf, schemaOf } from "./parameters-schema.ts";

const COLLISIONS = [
  ["ENQUEUE", "Wait for a place"],
  ["CANCEL_NEW", "Are cancelled"],
] as const;

/** What can be changed of a deployment; only that is sent which was changed. */
export function EditDeploymentDialog({
  deployment,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  // What it was when the dialog was opened: others may change the rest meanwhile.
  const [before] = useState({
    description: deployment.description ?? "",
    tags: deployment.tags,
    limit: String(deployment.global_concurrency_limit?.limit ?? deployment.concurrency_limit ?? ""),
    collision: deployment.concurrency_options?.collision_strategy ?? "ENQUEUE",
    parameters: parametersOf(deployment),
    variables: writeReadableJson(deployment.job_variables ?? {}),
  });
  const [description, setDescription] = useState(before.description);
  const [tags, setTags] = useState<readonly string[]>(before.tags);
  const [limit, setLimit] = useState(before.limit);
  const [collision, setCollision] = useState(before.collision);
  const [parameters, setParameters] = useState(before.parameters);
  const [variables, setVariables] = useState(before.variables);
  const read = readObject(variables);
  const save = async () => {
    const changes: DeploymentUpdate = {
      ...(description !== before.description && { description }),
      ...(tags.join() !== before.tags.join() && { tags: [...tags] }),
      ...(limit !== before.limit && { concurrency_limit: limit === "" ? null : Number(limit) }),
      ...(collision !== before.collision && {
        concurrency_options: { ...deployment.concurrency_options, collision_strategy: collision },
      }),
      ...(parameters !== before.parameters && { parameters }),
      ...(variables !== before.variables && { job_variables: read.value }),
    };
    await api.deployments.update(deployment.id, changes);
    await queries.invalidateQueries({ queryKey: ["deployments"] });
    toast("good", `Saved ${deployment.name}`);
  };
  return (
    <SaveDialog
      wide
      title={`Change ${deployment.name}`}
      canSave={read.problem === undefined}
      onSave={save}
      onClose={onClose}
    >
      <TextAreaField
        label="Description"
        hint="Markdown"
        rows={3}
        style={{ fontFamily: "inherit" }}
        value={description}
        onText={setDescription}
      />
      <TagsField tags={tags} onTags={setTags} />
      <TextField
        label="At most at once"
        hint="Empty means no limit"
        type="number"
        min={1}
        value={limit}
        onText={setLimit}
      />
      {limit !== "" && (
        <Field label="Runs beyond that">
          {(field) => (
            <Select {...field} options={COLLISIONS} value={collision} onValue={setCollision} />
          )}
        </Field>
      )}
      <fieldset className="nested">
        <legend>Parameters of its runs, unless they are given others</legend>
        <SchemaForm schema={schemaOf(deployment)} values={parameters} onValues={setParameters} />
      </fieldset>
      <TextAreaField
        label="Job variables"
        hint="What its runs want of the template of their pool"
        rows={5}
        value={variables}
        error={read.problem}
        onText={setVariables}
      />
    </SaveDialog>
  );
}
