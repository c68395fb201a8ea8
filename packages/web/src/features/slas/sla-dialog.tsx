import type { Sla } from "@orchestrator/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";
import { toast } from "../../ui/toasts.tsx";
import { TargetPicker } from "../automations/pickers.tsx";
import { SecondsInput } from "../automations/seconds-input.tsx";

const KINDS: readonly (readonly [Sla["kind"], string])[] = [
  ["duration", "Runs end in time"],
  ["lateness", "Runs start in time"],
  ["freshness", "Runs complete often enough"],
];
const SEVERITIES = ["minor", "low", "moderate", "high", "critical"] as const;

export function SlaDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const queries = useQueryClient();
  const [deployment, setDeployment] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Sla["kind"]>("duration");
  const [seconds, setSeconds] = useState<number | null>(3600);
  const [severity, setSeverity] = useState<(typeof SEVERITIES)[number]>("moderate");
  const [error, setError] = useState<string>();
  const save = async () => {
    if (deployment === null) return;
    try {
      await api.slas.create(deployment, { name, kind, seconds, severity });
      await queries.invalidateQueries({ queryKey: ["deployments", "slas"] });
      toast("good", `${name} is there`);
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="New SLA" onClose={onClose}>
      <TargetPicker kind="deployment" label="Deployment" id={deployment} onId={setDeployment} />
      <Field label="Name">
        {(field) => (
          <Input {...field} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="What is expected">
        {(field) => <Select {...field} options={KINDS} value={kind} onValue={setKind} />}
      </Field>
      <SecondsInput label="Bound" seconds={seconds} onSeconds={setSeconds} />
      <Field label="Severity">
        {(field) => (
          <Select
            {...field}
            options={SEVERITIES.map((word) => [word, word] as const)}
            value={severity}
            onValue={setSeverity}
          />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          disabled={name === "" || deployment === null}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </Dialog>
  );
}
