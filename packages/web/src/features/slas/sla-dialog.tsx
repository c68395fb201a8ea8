import type { Sla } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast } from "../../ui/toasts.tsx";
import { TargetPicker } from "../automations/pickers.tsx";
import { SecondsInput } from "../automations/seconds-input.tsx";

const KINDS: readonly (readonly [Sla["kind"], string])[] = [
  ["duration", "Duration: runs end in time"],
  ["lateness", "Lateness: runs start on time"],
  ["freshness", "Freshness: runs complete often enough"],
];
const SEVERITIES = ["minor", "low", "moderate", "high", "critical"] as const;

/**
 * A new SLA, or the bound and the severity of one that is there: whose runs it is about and how
 * stays.
 */
export function SlaDialog({
  sla,
  onClose,
}: {
  readonly sla: Sla | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [deployment, setDeployment] = useState<string | null>(sla?.deployment_id ?? null);
  const [name, setName] = useState(sla?.name ?? "");
  const [kind, setKind] = useState<Sla["kind"]>(sla?.kind ?? "duration");
  const [seconds, setSeconds] = useState<number | null>(sla?.seconds ?? 3600);
  const [severity, setSeverity] = useState<Sla["severity"]>(sla?.severity ?? "moderate");
  const save = async () => {
    if (deployment === null) return;
    if (sla === undefined) await api.slas.create(deployment, { name, kind, seconds, severity });
    else await api.slas.update(sla.id, { name, seconds, severity });
    await queries.invalidateQueries({ queryKey: ["deployments", "slas"] });
    toast("good", `Saved ${name}`);
  };
  return (
    <SaveDialog
      title={sla === undefined ? "New SLA" : `Edit ${sla.name}`}
      canSave={name !== "" && deployment !== null && seconds !== null}
      onSave={save}
      onClose={onClose}
    >
      {sla === undefined && (
        <TargetPicker kind="deployment" label="Deployment" id={deployment} onId={setDeployment} />
      )}
      <TextField label="Name" value={name} onText={setName} />
      {sla === undefined && (
        <LabeledField label="Type">
          {(field) => <Select {...field} options={KINDS} value={kind} onValue={setKind} />}
        </LabeledField>
      )}
      <SecondsInput label="Threshold" seconds={seconds} onSeconds={setSeconds} />
      <LabeledField label="Severity">
        {(field) => (
          <Select
            {...field}
            options={SEVERITIES.map((word) => [word, word] as const)}
            value={severity}
            onValue={setSeverity}
          />
        )}
      </LabeledField>
    </SaveDialog>
  );
}
