import type { FlowRun, JsonValue } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { filledIn } from "../../ui/schema-shape.ts";
import { toast } from "../../ui/toasts.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

/**
 * Lets a paused run go on; where it waits for input, the form is made from the schema that it left.
 */
export function ResumeDialog({
  run,
  onClose,
}: {
  readonly run: FlowRun;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const keyset = run.state?.state_details.run_input_keyset;
  const schemaKey = keyset?.["schema"];
  const schema = useQuery({
    queryKey: ["flow-runs", "input-schema", run.id, schemaKey],
    enabled: schemaKey !== undefined,
    queryFn: async ({ signal }) =>
      parsed(await api.flowRuns.readInput(run.id, schemaKey ?? "", { signal })),
  });
  const aboutKey = keyset?.["description"];
  // By its beginning: nobody needs to have left one, and what is not there is no error of the page.
  const about = useQuery({
    queryKey: ["flow-runs", "input-description", run.id, aboutKey],
    enabled: aboutKey !== undefined,
    queryFn: async ({ signal }) => {
      const prefix = aboutKey ?? "";
      const inputs = await api.flowRuns.listInputs(run.id, { prefix }, { signal });
      return textOf(inputs.find(({ key }) => key === prefix)?.value ?? "");
    },
  });
  // Nobody can answer what they have not seen.
  const isUnasked = schemaKey !== undefined && schema.data === undefined;
  const [values, setValues] = useState<Readonly<Record<string, JsonValue>>>({});
  const { onSubmit, busy, error } = useSubmit(async () => {
    const { status, details } = await api.flowRuns.resume(
      run.id,
      schemaKey ? { run_input: filledIn(schema.data ?? {}, values) } : {},
    );
    if (status !== "ACCEPT")
      throw new Error(("reason" in details && details.reason) || `The server answered ${status}`);
    toast("good", "Run resumed");
    await queries.invalidateQueries({ queryKey: ["flow-runs"] });
    onClose();
  });
  return (
    <Dialog title={`Resume ${run.name}`} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        {schemaKey === undefined && <p>It continues from where it paused.</p>}
        {about.data && <Markdown text={about.data} />}
        {schema.data && <SchemaForm schema={schema.data} values={values} onValues={setValues} />}
        <DialogFoot error={isUnasked && schema.error ? errorText(schema.error) : error}>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isUnasked} busy={busy}>
            Resume
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** Some clients leave a text as it is, others as JSON. */
function textOf(value: string): string {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === "string" ? read : value;
  } catch {
    return value;
  }
}

/** Inputs are kept as text that holds JSON. */
function parsed(value: JsonValue): Record<string, JsonValue> {
  const found = typeof value === "string" ? (JSON.parse(value) as JsonValue) : value;
  const isRecord = typeof found === "object" && found !== null && !Array.isArray(found);
  return isRecord ? (found as Record<string, JsonValue>) : {};
}
