import type { JsonObject } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../navigation/location.ts";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface Kind {
  readonly type: string;
  readonly display_name: string;
  readonly description: string;
  readonly default_base_job_configuration: JsonObject;
}

/**
 * What stands there until the server has said which kinds there are; a worker brings the template
 * then.
 */
const PROCESS: Kind = {
  type: "process",
  display_name: "Process",
  description: "Type of worker that serves it",
  default_base_job_configuration: {},
};

/** A name and the kind of worker; everything else has defaults that can be changed later. */
export function NewPoolDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const [type, setType] = useState(PROCESS.type);
  const kinds = useQuery({
    queryKey: ["worker-types"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const view = await api.collections.readView("aggregate-worker-metadata", { signal });
      return Object.values(view).flatMap(
        (ofPackage) => Object.values(ofPackage as object) as Kind[],
      );
    },
  }).data ?? [PROCESS];
  const kind = kinds.find((candidate) => candidate.type === type) ?? PROCESS;
  const create = async () => {
    const base_job_template = kind.default_base_job_configuration;
    await api.workPools.create({ name, type, base_job_template });
    navigate(`/work-pools/${encodeURIComponent(name)}`);
  };
  return (
    <SaveDialog
      title="New work pool"
      verb="Create"
      canSave={name !== ""}
      onSave={create}
      onClose={onClose}
    >
      <TextField label="Name" autoFocus value={name} onText={setName} />
      <LabeledField label="Type" hint={kind.description}>
        {(field) => (
          <Select
            {...field}
            value={type}
            options={kinds.map((candidate) => [candidate.type, candidate.display_name] as const)}
            onValue={setType}
          />
        )}
      </LabeledField>
    </SaveDialog>
  );
}
