import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { monitorNames } from "../../api/names.ts";
import { CheckboxField, Input } from "../../ui/form.tsx";

const MANY = 8;

/** Some of all monitors, by name. */
export function MonitorPicker({
  label,
  hint,
  except,
  picked,
  onPick,
}: {
  readonly label: string;
  readonly hint?: string;
  /** One that cannot be chosen. */
  readonly except?: string | undefined;
  readonly picked: readonly string[];
  readonly onPick: (ids: readonly string[]) => void;
}): JSX.Element {
  const { data = [] } = useQuery(monitorNames);
  const names = data.filter(({ id }) => id !== except);
  const [text, setText] = useState("");
  const shown = names.filter(
    ({ id, name }) => picked.includes(id) || name.toLowerCase().includes(text.toLowerCase()),
  );
  return (
    <fieldset className="field" style={{ margin: 0, padding: 0, border: 0 }}>
      <legend className="field__label" style={{ padding: 0 }}>
        {label}
      </legend>
      {hint && <div className="field__hint">{hint}</div>}
      {names.length > MANY && (
        <Input
          type="search"
          aria-label="Find a monitor"
          placeholder="Find a monitor"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            // It only narrows the list: the form around it is not sent by it.
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      )}
      <div className="stack-tight" style={{ maxHeight: 180, overflowY: "auto", padding: 4 }}>
        {shown.map(({ id, name }) => (
          <CheckboxField
            key={id}
            label={name}
            checked={picked.includes(id)}
            onChange={({ target }) =>
              onPick(target.checked ? [...picked, id] : picked.filter((one) => one !== id))
            }
          />
        ))}
        {names.length === 0 && <span className="soft">No monitors yet.</span>}
      </div>
    </fieldset>
  );
}
