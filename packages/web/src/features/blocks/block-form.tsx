import { ApiError } from "@orchestrator/client";
import { useQuery } from "@tanstack/react-query";
import { type JSX, type ReactNode, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { LabeledField, Select } from "../../ui/form.tsx";
import { SchemaForm, type SpecialField } from "../../ui/schema-form.tsx";
import { isValues, type SchemaShape, type Values } from "../../ui/schema-shape.ts";
import { NoticeBox } from "../../ui/surface.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** The values of a block, by its schema. Secrets that are stored are never asked for. */
export function BlockForm({
  schema,
  kept = {},
  name,
  verb,
  onSave,
}: {
  readonly schema: SchemaShape;
  /** What is stored, with masks in the place of secrets. */
  readonly kept?: Values;
  /** Undefined where it may still be chosen. */
  readonly name?: string;
  readonly verb: string;
  readonly onSave: (name: string, data: Values) => Promise<void>;
}): JSX.Element {
  const [chosen, setChosen] = useState(name ?? "");
  const [values, setValues] = useState<Values>(kept);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(error);
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onSave(chosen, values);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <form
      className="stack"
      style={{ maxWidth: 760 }}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {name === undefined && (
        <TextField
          label="Block name *"
          hint="Lowercase letters, digits and dashes"
          error={problems["body.name"] ?? problems["name"]}
          required
          value={chosen}
          onText={setChosen}
        />
      )}
      <SchemaForm
        schema={schema}
        values={values}
        kept={kept}
        problems={problems}
        special={(field) => nestedBlock(field)}
        onValues={setValues}
      />
      {error !== undefined && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <div>
        <Button needs="write" kind="primary" type="submit" busy={busy}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

/** By the path within the data, as the form asks for them. */
function problemsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.problems.map(({ where, what }) => [where.replace(/^body\.data\.|^data\./, ""), what]),
  );
}

/** A block within a block is chosen among those of its type. */
function nestedBlock({ schema, label, value, onValue }: SpecialField): ReactNode | undefined {
  const slug = schema["block_type_slug"];
  if (typeof slug !== "string") return undefined;
  const reference = isValues(value) && isValues(value["$ref"]) ? value["$ref"] : {};
  const id = reference["block_document_id"];
  return (
    <NestedBlock
      slug={slug}
      label={label}
      id={typeof id === "string" ? id : ""}
      isKept={isValues(value) && typeof id !== "string"}
      onId={(chosen) =>
        onValue(chosen === "" ? undefined : { $ref: { block_document_id: chosen } })
      }
    />
  );
}

function NestedBlock({
  slug,
  label,
  id,
  isKept,
  onId,
}: {
  readonly slug: string;
  readonly label: string;
  readonly id: string;
  readonly isKept: boolean;
  readonly onId: (id: string) => void;
}): JSX.Element {
  const { data = [] } = useQuery({
    queryKey: ["blocks", "of-type", slug],
    queryFn: ({ signal }) =>
      api.blockDocuments.listOfType(slug, { include_data: false }, { signal }),
  });
  return (
    <LabeledField label={label} hint={`Block of type ${slug}`}>
      {(field) => (
        <Select
          {...field}
          value={id}
          options={[
            ["", isKept ? "Existing block" : "None"],
            ...data.map((block) => [block.id, block.name] as const),
          ]}
          onValue={onId}
        />
      )}
    </LabeledField>
  );
}
