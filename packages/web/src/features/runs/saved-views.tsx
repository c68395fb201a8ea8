import type { SavedSearch } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { navigate, pathWith, type SearchValues } from "../../navigation/location.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/form.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import type { RunsSearch } from "./runs-search.ts";

const OBJECT = "flow_run";

/** Ways of looking at the runs that are used again and again, kept on the server under a name. */
export function SavedViews({ search }: { readonly search: RunsSearch }): JSX.Element {
  const queries = useQueryClient();
  const [saving, setSaving] = useState(false);
  const { data = [] } = useQuery({
    queryKey: ["saved-searches"],
    queryFn: ({ signal }) => api.savedSearches.list({}, { signal }),
  });
  const current = pathWith("/runs", { ...search, page: "" });
  const shown = data.find((view) => pathOf(view) === current);
  const remove = async (view: SavedSearch) => {
    try {
      await api.savedSearches.delete(view.id);
      await queries.invalidateQueries({ queryKey: ["saved-searches"] });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <span className="row">
      {data.length > 0 && (
        <span style={{ width: 180 }}>
          <Select
            aria-label="Saved view"
            value={shown?.id ?? ""}
            options={[["", "Saved views"], ...data.map(({ id, name }) => [id, name] as const)]}
            onValue={(id) => {
              const view = data.find((one) => one.id === id);
              if (view) navigate(pathOf(view));
            }}
          />
        </span>
      )}
      {shown && (
        <IconButton
          needs="write"
          icon="trash"
          label={`Delete ${shown.name}`}
          onClick={() => void remove(shown)}
        />
      )}
      {!shown && current !== "/runs" && (
        <Button needs="write" small onClick={() => setSaving(true)}>
          Save view
        </Button>
      )}
      {saving && <ViewDialog search={search} onClose={() => setSaving(false)} />}
    </span>
  );
}

function ViewDialog({
  search,
  onClose,
}: {
  readonly search: RunsSearch;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const save = async () => {
    const { page: _, ...kept } = search;
    const filters = Object.entries(kept).map(([property, value]) => ({
      object: OBJECT,
      property,
      type: "web",
      operation: "is",
      value: value as string | string[],
    }));
    await api.savedSearches.save({ name, filters });
    await queries.invalidateQueries({ queryKey: ["saved-searches"] });
    toast("good", `Saved as ${name}`);
  };
  return (
    <SaveDialog title="Save this view" canSave={name.trim() !== ""} onSave={save} onClose={onClose}>
      <TextField
        label="Name"
        hint="A view with the same name is replaced"
        autoFocus
        value={name}
        onText={setName}
      />
    </SaveDialog>
  );
}

/** The address that shows it. */
function pathOf({ filters }: SavedSearch): string {
  const values: Record<string, string | readonly string[]> = {};
  for (const { object, property, value } of filters)
    if (object === OBJECT && (typeof value === "string" || Array.isArray(value)))
      values[property] = value as string | readonly string[];
  return pathWith("/runs", values satisfies SearchValues);
}
