import type { FlowRun, JsonValue } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api, exactApi } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { navigate } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { filledIn } from "../../ui/schema-shape.ts";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { changedValues, schemaOf } from "../parameters/parameters-schema.ts";

export interface RerunTask {
  readonly id: string;
  readonly label: string;
}

/** Creates a run that reuses results of this one; its parameters may be others. */
function RerunDialog({
  run,
  task,
  onClose,
}: {
  readonly run: FlowRun;
  /** The task run that the new run begins with. */
  readonly task?: RerunTask | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const id = run.deployment_id ?? "";
  const deployment = useQuery({
    queryKey: ["deployments", "one", id],
    queryFn: ({ signal }) => exactApi.deployments.read(id, { signal }),
  });
  const given = run.parameters as Readonly<Record<string, JsonValue>>;
  const [values, setValues] = useState(given);
  const [from, setFrom] = useState(task?.id ?? "failed");
  const shape = deployment.data && { ...deployment.data, parameters: run.parameters };
  const schema = shape && schemaOf(shape);
  const { onSubmit, busy, error } = useSubmit(async () => {
    if (schema === undefined) return;
    const parameters = changedValues(given, filledIn(schema, values), schema);
    const made = await api.flowRuns.rerun(run.id, { from, parameters });
    toast("good", `Started ${made.name}`);
    await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    onClose();
    navigate(`/runs/${made.id}`);
  });
  const points: readonly (readonly [string, string])[] = [
    ...(task === undefined
      ? []
      : [[task.id, `${task.label}: reuse results from before it`] as const]),
    ["failed", "Last result: reuse all results"],
    ["start", "Start: reuse no result"],
  ];
  return (
    <Dialog title={`Rerun ${run.name}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        <p>A new run of the same deployment. This run stays as it is.</p>
        <LabeledField label="From" hint="Tasks that get other arguments than before run again">
          {(field) => <Select {...field} options={points} value={from} onValue={setFrom} />}
        </LabeledField>
        {schema && <SchemaForm schema={schema} values={values} onValues={setValues} />}
        <DialogFoot error={deployment.error ? errorText(deployment.error) : error}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            icon="play"
            type="submit"
            busy={busy}
            disabled={schema === undefined}
          >
            Rerun
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Opens the dialog. Only a run of a deployment has a worker that would execute another one. */
export function RerunButton({
  run,
  task,
}: {
  readonly run: FlowRun;
  readonly task?: RerunTask | undefined;
}): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (run.deployment_id === null) return null;
  return (
    <>
      <Button needs="run" icon="play" small={task !== undefined} onClick={() => setOpen(true)}>
        {task === undefined ? "Rerun" : "Rerun from here"}
      </Button>
      {isOpen && <RerunDialog run={run} task={task} onClose={() => setOpen(false)} />}
    </>
  );
}
