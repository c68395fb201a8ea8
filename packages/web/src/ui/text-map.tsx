import { writeJson } from "@orchestrator/exact-json";
import { type JSX, type ReactNode, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { Input } from "./form.tsx";
import type { Values } from "./schema-shape.ts";
import { SecretInput } from "./secret-field.tsx";

/** Texts by name, a line each. */
export function TextMap({
  label,
  hint,
  error,
  values,
  kept = {},
  isSecret = false,
  onValues,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly values: Values;
  readonly kept?: Values;
  readonly isSecret?: boolean;
  readonly onValues: (values: Values) => void;
}): JSX.Element {
  // Lines are kept here because a name that is being typed may be empty, or stand there twice for a
  // moment.
  const [rows, setRows] = useState(() => Object.entries(values));
  const change = (next: readonly (readonly [string, Values[string]])[]) => {
    setRows(next.map(([name, value]) => [name, value]));
    onValues(Object.fromEntries(next.filter(([name]) => name !== "")));
  };
  const put = (at: number, row: readonly [string, Values[string]]) =>
    change(rows.map((old, i) => (i === at ? row : old)));
  return (
    <fieldset className="nested">
      <legend>{label}</legend>
      {hint && <div className="field__hint">{hint}</div>}
      {error !== undefined && <div className="field__error">{error}</div>}
      {rows.map(([name, value], i) => (
        <div key={i} className="text-map__row">
          <Input
            aria-label={`Name ${i + 1} of ${label}`}
            placeholder="Name"
            value={name}
            onChange={({ target }) => put(i, [target.value, value])}
          />
          {isSecret ? (
            <SecretInput
              field={{ "aria-label": `Value of ${name}` }}
              name={`${name || "the value"} of ${label}`}
              kept={kept[name]}
              value={value}
              onValue={(next) => put(i, [name, next ?? ""])}
            />
          ) : (
            <Input
              aria-label={`Value ${i + 1} of ${label}`}
              placeholder="Value"
              value={typeof value === "string" ? value : writeJson(value)}
              onChange={({ target }) => put(i, [name, target.value])}
            />
          )}
          <IconButton
            small
            icon="cross"
            label={`Remove ${name || "this line"}`}
            onClick={() => change(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => setRows([...rows, ["", ""]])}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}
