import type { CheckField, CheckKind } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { CheckboxField, Input, LabeledField, Select, TextArea } from "../../ui/form.tsx";
import { choicesOf, comparisonsOf, usualText } from "./check-kinds.ts";
import { ExpectationRows } from "./expectation-rows.tsx";
import { HeaderRows } from "./header-rows.tsx";
import { StoredSecretInput } from "./secret-input.tsx";

interface Props {
  readonly kind: CheckKind;
  readonly field: CheckField;
  readonly value: unknown;
  /** Undefined where nothing is said. */
  readonly onValue: (value: unknown) => void;
}

export function CheckFieldInput({ kind: check, field, value, onValue }: Props): JSX.Element {
  const { key, label, kind, hint } = field;
  const usual = check.defaults[key] === true;
  if (kind === "flag")
    return (
      <div style={{ gridColumn: "1 / -1" }}>
        <CheckboxField
          label={label}
          checked={typeof value === "boolean" ? value : usual}
          onChange={({ target }) => onValue(target.checked === usual ? undefined : target.checked)}
        />
      </div>
    );
  if (kind === "headers") return <HeaderRows {...{ label, hint, value, onValue }} />;
  if (kind === "expectations") {
    const comparisons = comparisonsOf(check, field);
    return <ExpectationRows {...{ label, comparisons, value, onValue }} />;
  }
  return (
    <LabeledField label={label} hint={hint}>
      {(props) => <Plain {...{ props, kind: check, field, value, onValue }} />}
    </LabeledField>
  );
}

function Plain({
  props,
  kind: check,
  field,
  value,
  onValue,
}: Props & { readonly props: object }): JSX.Element {
  const { kind } = field;
  const placeholder = field.placeholder ?? usualText(check, field);
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const given = (typed: string) => onValue(typed === "" ? undefined : typed);
  switch (kind) {
    case "number":
      return (
        <Input
          {...props}
          type="number"
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => onValue(target.value === "" ? undefined : target.valueAsNumber)}
        />
      );
    case "choice": {
      const [first = "", ...others] = choicesOf(check, field);
      return (
        <Select
          {...props}
          value={text === first ? "" : text}
          options={[["", first] as const, ...others.map((word) => [word, word] as const)]}
          onValue={given}
        />
      );
    }
    case "secret":
      return <StoredSecretInput props={props} value={value} onValue={onValue} />;
    case "list":
      return (
        <Parts
          props={props}
          value={value}
          onValue={onValue}
          between=", "
          placeholder={placeholder}
        />
      );
    case "lines":
      return <Parts props={props} value={value} onValue={onValue} between={"\n"} />;
    case "area":
      return <TextArea {...props} value={text} onChange={({ target }) => given(target.value)} />;
    case "text":
    case "flag":
    case "headers":
    case "expectations":
      return (
        <Input
          {...props}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => given(target.value)}
        />
      );
  }
}

/** Several texts in one input. What is more than a text is kept as it is, in JSON. */
function Parts({
  props,
  value,
  onValue,
  between,
  placeholder,
}: Omit<Props, "kind" | "field"> & {
  readonly props: object;
  readonly between: ", " | "\n";
  readonly placeholder?: string | undefined;
}): JSX.Element {
  const [text, setText] = useState(() => textOf(value, between));
  const onText = (typed: string) => {
    setText(typed);
    const parts = typed
      .split(between.trim() === "," ? "," : "\n")
      .map((part) => part.trim())
      .filter(Boolean)
      .map(partOf);
    onValue(parts.length === 0 ? undefined : parts);
  };
  return between === "\n" ? (
    <TextArea {...props} rows={2} value={text} onChange={({ target }) => onText(target.value)} />
  ) : (
    <Input
      {...props}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  );
}

function textOf(value: unknown, between: string): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part: unknown) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(between);
}

function partOf(part: string): unknown {
  if (!part.startsWith("{")) return part;
  try {
    return JSON.parse(part) as unknown;
  } catch {
    return part;
  }
}
