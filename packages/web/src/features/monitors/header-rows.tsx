import { type JSX, useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";
import { SECRET_MASK, StoredSecretInput } from "./secret-input.tsx";

type Row = readonly [name: string, value: string];

/** Names and values; one that is stored and secret can only be replaced. */
export function HeaderRows({
  label,
  hint,
  value,
  onValue,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}): JSX.Element {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries((value ?? {}) as Record<string, string>),
  );
  const change = (next: readonly Row[]) => {
    setRows(next);
    const named = next.filter(([name]) => name.trim() !== "");
    onValue(named.length === 0 ? undefined : Object.fromEntries(named));
  };
  const set = (at: number, row: Row) => change(rows.map((one, i) => (i === at ? row : one)));
  return (
    <fieldset className="field rows" style={{ gridColumn: "1 / -1" }}>
      <legend className="field__label">{label}</legend>
      {rows.map(([name, text], i) => (
        <div key={i} className="rows__row">
          <Input
            aria-label={`Name of header ${i + 1}`}
            placeholder="Accept"
            value={name}
            onChange={({ target }) => set(i, [target.value, text])}
          />
          {text === SECRET_MASK ? (
            <StoredSecretInput
              label={`Value of header ${name}`}
              value={text}
              onValue={(next) => set(i, [name, next ?? ""])}
            />
          ) : (
            <Input
              aria-label={`Value of header ${i + 1}`}
              value={text}
              onChange={({ target }) => set(i, [name, target.value])}
            />
          )}
          <IconButton
            small
            icon="cross"
            label={`Remove header ${i + 1}`}
            onClick={() => change(rows.filter((_, other) => other !== i))}
          />
        </div>
      ))}
      <div>
        <Button small icon="plus" onClick={() => setRows([...rows, ["", ""]])}>
          Add header
        </Button>
      </div>
      {hint && <div className="field__hint">{hint}</div>}
    </fieldset>
  );
}
