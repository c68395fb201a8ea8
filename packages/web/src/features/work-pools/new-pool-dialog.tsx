import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../app/location.ts";
import { Field, Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** A name and the kind of worker; everything else has defaults that can be changed later. */
export function NewPoolDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const [type, setType] = useState("process");
  const types = useQuery({
    queryKey: ["worker-types"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const view = await api.collections.readView("aggregate-worker-metadata", { signal });
      return Object.values(view).flatMap((kinds) => Object.keys(kinds as object));
    },
  }).data ?? ["process"];
  const create = async () => {
    await api.workPools.create({ name, type });
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
      <Field label="Type" hint="Which kind of worker serves it">
        {(field) => (
          <Select
            {...field}
            value={type}
            options={types.map((kind) => [kind, kind] as const)}
            onValue={setType}
          />
        )}
      </Field>
    </SaveDialog>
  );
}
