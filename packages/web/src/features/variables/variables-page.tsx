import type { JsonValue, Variable } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { api } from "../../api/client.ts";
import { useSearch } from "../../app/location.ts";
import { readPagedSearch } from "../../app/paged-search.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field, Input, TextArea } from "../../ui/form.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Card, Empty, Notice, Page, Tags } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
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
      api.variables.list(
        { ...(text && { variables: { name: { like_: text } } }), sort: "NAME_ASC" },
        { signal },
      ),
  });
  return (
    <Page
      title="Variables"
      actions={
        <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
          New variable
        </Button>
      }
    >
      <div className="row">
        <SearchBox
          label="Name of the variable"
          value={text}
          onValue={(typed) => setSearch({ text: typed })}
        />
      </div>
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <Card flush>
        <Table
          label="Variables"
          rows={data}
          keyOf={({ id }) => id}
          empty={
            text === "" ? (
              <Empty
                icon="variable"
                title="No variables yet"
                command="orchestrator variable set region eu-west-1"
              >
                <p>
                  Values that flows read when they run, so that they can be changed without
                  deploying again.
                </p>
              </Empty>
            ) : (
              <Empty icon="filter" title="No variable has that name" />
            )
          }
          columns={[
            { title: "Name", cell: ({ name }) => <code>{name}</code> },
            {
              title: "Value",
              look: "fill",
              cell: ({ value }) => {
                const shown = typeof value === "string" ? value : JSON.stringify(value);
                return (
                  <div className="cut mono" title={shown}>
                    {shown}
                  </div>
                );
              },
            },
            { title: "Tags", look: "wide", cell: ({ tags }) => <Tags tags={tags} /> },
            { title: "Changed", look: "wide", cell: ({ updated }) => <Ago time={updated} /> },
            {
              title: <span className="visually-hidden">Actions</span>,
              cell: (variable) => (
                <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
                  <IconButton
                    small
                    icon="edit"
                    label={`Change ${variable.name}`}
                    onClick={() => setEditing(variable)}
                  />
                  <IconButton
                    small
                    icon="trash"
                    label={`Delete ${variable.name}`}
                    onClick={() => setDeleting(variable)}
                  />
                </span>
              ),
            },
          ]}
        />
      </Card>
      {editing && (
        <VariableDialog
          variable={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          verb="Delete the variable"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await api.variables.delete(deleting.id);
            await queries.invalidateQueries({ queryKey: ["variables"] });
          }}
        >
          Flows that read it will not find it any more.
        </Confirm>
      )}
    </Page>
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
  const [tags, setTags] = useState(variable?.tags.join(", ") ?? "");
  const [error, setError] = useState<string>();
  const save = async () => {
    const given = {
      name,
      value: valueOf(text),
      tags: tags
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    };
    try {
      if (variable === undefined) await api.variables.create(given);
      else await api.variables.update(variable.id, given);
      await queries.invalidateQueries({ queryKey: ["variables"] });
      toast("good", `Saved ${name}`);
      onClose();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return (
    <Dialog
      title={variable === undefined ? "New variable" : `Change ${variable.name}`}
      onClose={onClose}
    >
      <Field label="Name">
        {(field) => (
          <Input {...field} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Field label="Value" hint="JSON, or a text as it is">
        {(field) => (
          <TextArea {...field} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <Field label="Tags" hint="With commas between them">
        {(field) => (
          <Input {...field} value={tags} onChange={({ target }) => setTags(target.value)} />
        )}
      </Field>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" disabled={name === ""} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}

/** A text that would be read as something else is written in quotes. */
function textOf(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  return typeof valueOf(value) === "string" ? value : JSON.stringify(value);
}

function valueOf(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
