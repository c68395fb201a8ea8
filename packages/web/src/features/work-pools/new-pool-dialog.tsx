import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate } from "../../app/location.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input, Select } from "../../ui/form.tsx";
import { Notice } from "../../ui/surface.tsx";

/** A name and the kind of worker; everything else has defaults that can be changed later. */
export function NewPoolDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const [type, setType] = useState("process");
  const [error, setError] = useState<string>();
  const types = useQuery({
    queryKey: ["worker-types"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const view = await api.collections.readView("aggregate-worker-metadata", { signal });
      return Object.values(view).flatMap((kinds) => Object.keys(kinds as object));
    },
  }).data ?? ["process"];
  const create = async () => {
    try {
      await api.workPools.create({ name, type });
      navigate(`/work-pools/${encodeURIComponent(name)}`);
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog title="New work pool" onClose={onClose}>
      <Field label="Name">
        {(field) => (
          <Input
            {...field}
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
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
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" disabled={name === ""} onClick={() => void create()}>
          Create
        </Button>
      </div>
    </Dialog>
  );
}
