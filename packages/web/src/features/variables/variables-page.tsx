import type { JsonValue, Variable } from "@orchestrator/contract";
import {
  NumberTooLarge,
  readWrittenJson,
  writeJson,
  writeReadableJson,
} from "@orchestrator/exact-json";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api, exactApi } from "../../api/client.ts";
import { useSearch } from "../../navigation/location.ts";
import { readPagedSearch } from "../../navigation/paged-search.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { LabeledField, TextArea } from "../../ui/form.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { SaveDialog } from "../../ui/save-dialog.tsx";
import { Empty, TagChips } from "../../ui/surface.tsx";
import { TagsField } from "../../ui/tags-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Ago } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";

export function VariablesPage(): JSX.Element {
  const [{ text = "" }, setSearch] = useSearch(readPagedSearch);
  const [editing, setEditing] = useState<Variable | "new">();
  const [deleting, setDeleting] = useState<Variable>();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["variables", "all", text],
    queryFn: ({ signal }) =>
      exactApi.variables.list(
        { ...(text && { variables: { name: { like_: text } } }), sort: "NAME_ASC" },
        { signal },
      ),
  });
  return (
    <ListPage
      title="Variables"
      actions={
        <Button needs="write" kind="primary" icon="plus" onClick={() => setEditing("new")}>
          New variable
        </Button>
      }
      search={{ what: "variable", text, onText: (typed) => setSearch({ text: typed }) }}
      rows={data}
      error={error}
      empty={
        <Empty
          icon="variable"
          title="No variables yet"
          command="orchestrator variable set region eu-west-1"
        >
          <p>Values that flows read at run time. Change them without redeploying.</p>
        </Empty>
      }
      columns={[
        {
          title: "Name and value",
          look: "fill",
          cell: ({ name, value }) => {
            const shown = typeof value === "string" ? value : writeJson(value);
            return (
              <div className="stack-tight" style={{ gap: 2 }}>
                <div className="cut" title={name}>
                  <code>{name}</code>
                </div>
                <div className="cut mono soft" title={shown}>
                  {shown}
                </div>
              </div>
            );
          },
        },
        { title: "Tags", look: "wide", cell: ({ tags }) => <TagChips tags={tags} /> },
        { title: "Updated", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
        {
          title: <span className="visually-hidden">Actions</span>,
          cell: (variable) => (
            <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
              <IconButton
                needs="write"
                small
                icon="edit"
                label={`Edit ${variable.name}`}
                onClick={() => setEditing(variable)}
              />
              <IconButton
                needs="write"
                small
                icon="trash"
                label={`Delete ${variable.name}`}
                onClick={() => setDeleting(variable)}
              />
            </span>
          ),
        },
      ]}
    >
      {editing && (
        <VariableDialog
          variable={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete variable"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.variables.delete(deleting.id);
            await queries.invalidateQueries({ queryKey: ["variables"] });
          }}
        >
          Flows that read it will no longer find it.
        </Confirm>
      )}
    </ListPage>
  );
}

function VariableDialog({
  variable,
  onClose,
}: {
  readonly variable: Variable | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const queries = useQueryClient();
  const [name, setName] = useState(variable?.name ?? "");
  const [text, setText] = useState(variable === undefined ? "" : textOf(variable.value));
  const [tags, setTags] = useState<readonly string[]>(variable?.tags ?? []);
  const value = valueOf(text);
  const save = async () => {
    if (value === undefined) return;
    const given = { name, tags: [...tags] };
    if (variable === undefined) await api.variables.create({ ...given, value });
    else {
      // Flows write variables as well: whoever changes something else does not take their value
      // back.
      const isChanged = text !== textOf(variable.value);
      await api.variables.update(variable.id, isChanged ? { ...given, value } : given);
    }
    await queries.invalidateQueries({ queryKey: ["variables"] });
    toast("good", `Saved ${name}`);
  };
  return (
    <SaveDialog
      title={variable === undefined ? "New variable" : `Edit ${variable.name}`}
      canSave={name !== "" && value !== undefined}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Lowercase letters a to z, digits, _ and -"
        value={name}
        onText={setName}
      />
      <LabeledField
        label="Value"
        hint="JSON or plain text"
        error={value === undefined ? TOO_LARGE : undefined}
      >
        {(field) => (
          <TextArea {...field} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </LabeledField>
      <TagsField tags={tags} onTags={setTags} />
    </SaveDialog>
  );
}

/** A text that would be read as something else is written in quotes. */
function textOf(value: JsonValue): string {
  if (typeof value !== "string") return writeReadableJson(value);
  return typeof valueOf(value) === "string" ? value : JSON.stringify(value);
}

const TOO_LARGE = "A number in it is too large. Put it in quotes to store it as text";

/** Undefined where a number is too large to be sent. */
function valueOf(text: string): JsonValue | undefined {
  try {
    return readWrittenJson(text) as JsonValue;
  } catch (error) {
    return error instanceof NumberTooLarge ? undefined : text;
  }
}
