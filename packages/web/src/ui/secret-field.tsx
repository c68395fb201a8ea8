import type { JsonValue } from "@orchestrator/contract";
import { type JSX, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Input, LabeledField } from "./form.tsx";
import { Icon } from "./icons.tsx";

interface SecretProps {
  /** What the server shows of the secret that it keeps: a mask, which goes back to it as it is. */
  readonly kept: JsonValue | undefined;
  readonly value: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

const isKept = ({ kept, value }: SecretProps): boolean =>
  kept !== undefined && kept !== null && kept !== "" && value === kept;

/** A secret that the server keeps is never shown nor edited: it can only be replaced. */
export function SecretField({
  label,
  hint,
  error,
  ...secret
}: SecretProps & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}): JSX.Element {
  return (
    <LabeledField label={label} hint={hint} error={error}>
      {(field) => <SecretInput field={field} name={label} {...secret} />}
    </LabeledField>
  );
}

export function SecretInput({
  field,
  name,
  ...secret
}: SecretProps & { readonly field: object; readonly name: string }): JSX.Element {
  const [isReplacing, setReplacing] = useState(false);
  const { kept, value, onValue } = secret;
  if (isKept(secret) && !isReplacing)
    return (
      <span className="row" style={{ flexWrap: "nowrap" }}>
        <span className="stored">
          <Icon name="check" size={14} /> Stored
        </span>
        <Button
          {...field}
          aria-label={`Replace ${name}`}
          onClick={() => {
            setReplacing(true);
            onValue(undefined);
          }}
        >
          Replace
        </Button>
      </span>
    );
  return (
    <span className="row" style={{ flexWrap: "nowrap" }}>
      <Input
        {...field}
        type="password"
        autoComplete="new-password"
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => onValue(target.value === "" ? undefined : target.value)}
      />
      {isReplacing && (
        <Button
          onClick={() => {
            setReplacing(false);
            onValue(kept);
          }}
        >
          Keep stored value
        </Button>
      )}
    </span>
  );
}
