// A form made from a JSON schema: a field for each property, by its type; what has no simple input
// is written as JSON.
import "./schema-form.css";
import type { JsonValue } from "@orchestrator/contract";
import { type JSX, type ReactNode, useState } from "react";
import { CheckboxField, LabeledField } from "./form.tsx";
import { PropertyInput } from "./schema-inputs.tsx";
import {
  type Around,
  asSchemas,
  definitionOf,
  isGroup,
  isRequired,
  isSecret,
  isTextMap,
  isValues,
  resolved,
  type SchemaShape,
  type Values,
} from "./schema-shape.ts";
import { SecretField } from "./secret-field.tsx";
import { TextMap } from "./text-map.tsx";

interface FormProps {
  readonly schema: SchemaShape;
  readonly values: Values;
  /** What the server found wrong, by the path of the property. */
  readonly problems?: Readonly<Record<string, string>>;
  /** What the server keeps already; a secret that is still as it is there is shown as stored. */
  readonly kept?: Values;
  /** Fields of a kind that only the page knows; undefined leaves them to the form. */
  readonly special?: (field: SpecialField) => ReactNode | undefined;
  readonly onValues: (values: Values) => void;
}

export interface SpecialField {
  readonly path: string;
  readonly label: string;
  readonly schema: SchemaShape;
  readonly value: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

export function SchemaForm(props: FormProps): JSX.Element {
  return <Properties {...props} root={props.schema} prefix="" around={[]} />;
}

interface Within extends FormProps {
  /** Where the definitions and the names of the secrets stand. */
  readonly root: SchemaShape;
  readonly prefix: string;
  /** A group that holds itself would never end. */
  readonly around: Around;
}

function Properties(props: Within): JSX.Element {
  const { schema, root, prefix, values, kept, onValues } = props;
  const properties = Object.entries(asSchemas(schema["properties"]));
  if (properties.length === 0) return <p className="soft">No fields to fill in.</p>;
  return (
    <div className="stack">
      {properties.map(([name, property]) => (
        <Property
          key={name}
          within={props}
          name={name}
          path={`${prefix}${name}`}
          schema={resolved(property, root)}
          required={isRequired(schema, name)}
          value={values[name]}
          kept={kept?.[name]}
          onValue={(value) => {
            const { [name]: _, ...rest } = values;
            onValues(value === undefined ? rest : { ...rest, [name]: value });
          }}
        />
      ))}
    </div>
  );
}

interface PropertyProps {
  readonly within: Within;
  readonly name: string;
  readonly path: string;
  readonly schema: SchemaShape;
  readonly required: boolean;
  readonly value: JsonValue | undefined;
  readonly kept: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

function Property({
  within,
  name,
  path,
  schema,
  required,
  value,
  kept,
  onValue,
}: PropertyProps): JSX.Element {
  const { root, problems = {}, special, around } = within;
  const definition = definitionOf(schema);
  const title = typeof schema["title"] === "string" ? schema["title"] : name;
  const label = required ? `${title} *` : title;
  const hint = typeof schema["description"] === "string" ? schema["description"] : undefined;
  // What was emptied stays empty, and its default is used: it stands there in grey.
  const [isEmptied, setEmptied] = useState(false);
  const standard = schema["default"] as JsonValue | undefined;
  const shown = value === undefined && !isEmptied ? standard : value;
  const own = special?.({ path, label, schema, value, onValue });
  if (own !== undefined) return <>{own}</>;
  if (schema["type"] === "boolean")
    return (
      <div>
        <CheckboxField
          label={title}
          checked={shown === true}
          onChange={({ target }) => onValue(target.checked)}
        />
        {hint && <div className="field__hint">{hint}</div>}
      </div>
    );
  // Where all was taken out again nothing has been said, unless that would bring back a default
  // with something in it.
  const onParts = (next: Values) =>
    onValue(Object.keys(next).length === 0 && standard == null ? undefined : next);
  const told = { label, hint, error: problems[path] };
  if (isSecret(schema, root, path)) return <SecretField {...told} {...{ kept, value, onValue }} />;
  if (isTextMap(schema, root, path))
    return (
      <TextMap
        {...told}
        values={isValues(shown) ? shown : {}}
        kept={isValues(kept) ? kept : {}}
        isSecret={isSecret({}, root, `${path}.any`)}
        onValues={onParts}
      />
    );
  const isWithinItself = definition !== undefined && around.includes(definition);
  if (isGroup(schema) && !isWithinItself)
    return (
      <fieldset className="nested">
        <legend>{label}</legend>
        {hint && <div className="field__hint">{hint}</div>}
        <Properties
          {...within}
          schema={schema}
          prefix={`${path}.`}
          around={[...around, definition]}
          values={isValues(shown) ? shown : {}}
          kept={isValues(kept) ? kept : {}}
          onValues={onParts}
        />
      </fieldset>
    );
  return (
    <LabeledField {...told}>
      {(field) => (
        <PropertyInput
          {...{ field, schema, standard }}
          value={shown}
          onValue={(next) => {
            setEmptied(next === undefined);
            onValue(next);
          }}
        />
      )}
    </LabeledField>
  );
}
