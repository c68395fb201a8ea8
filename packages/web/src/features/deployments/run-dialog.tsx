import type { Deployment } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { filledIn } from "../../ui/schema-shape.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import {
  changedValues,
  deploymentParametersOf,
  schemaOf,
} from "../parameters/parameters-schema.ts";

/** Starts a run now or later, with a form made from the schema of its parameters. */
export function RunDialog({
  deployment,
  onClose,
}: {
  readonly deployment: Deployment;
  readonly onClose: () => void;
}): JSX.Element {
  const schema = schemaOf(deployment);
  const [opened] = useState(deploymentParametersOf(deployment));
  const [values, setValues] = useState(opened);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [at, setAt] = useState("");
  const { onSubmit, busy, error } = useSubmit(async () => {
    const details =
      at === "" ? {} : { state_details: { scheduled_time: new Date(at).toISOString() } };
    // What somebody else gave the deployment meanwhile was never in the form, so nobody has emptied
    // it.
    const before = Object.entries(deploymentParametersOf(deployment)).filter(([name]) =>
      Object.hasOwn(opened, name),
    );
    const run = await api.deployments.createFlowRun(deployment.id, {
      parameters: changedValues(Object.fromEntries(before), filledIn(schema, values), schema),
      tags: [...tags],
      state: { type: "SCHEDULED", ...details },
    });
    toast("good", `Started ${run.name}`);
    navigate(`/runs/${run.id}`);
  });
  return (
    <Dialog title={`Run ${deployment.name}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <SchemaForm schema={schema} values={values} onValues={setValues} />
        <TagsField tags={tags} onTags={setTags} />
        <TextField
          label="When"
          hint="Leave empty to run now"
          type="datetime-local"
          value={at}
          onText={setAt}
        />
        <DialogFoot error={error}>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" icon="play" type="submit" busy={busy}>
            Run
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
