import { type JSX, useId, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";

/** Several names, each added by Enter or by leaving the field. */
export function NamesInput({
  field,
  label,
  names,
  known = [],
  placeholder,
  onNames,
}: {
  readonly field: object;
  readonly label: string;
  readonly names: readonly string[];
  /** What is offered while somebody types. */
  readonly known?: readonly string[];
  readonly placeholder?: string;
  readonly onNames: (names: readonly string[]) => void;
}): JSX.Element {
  const [text, setText] = useState("");
  const listId = useId();
  const add = () => {
    const name = text.trim();
    setText("");
    if (name !== "" && !names.includes(name)) onNames([...names, name]);
  };
  return (
    <div className="stack-tight">
      {names.length > 0 && (
        <ul className="names" aria-label={label}>
          {names.map((name) => (
            <li key={name} className="mono">
              <span>{name}</span>
              <IconButton
                small
                icon="cross"
                label={`Remove ${name}`}
                onClick={() => onNames(names.filter((other) => other !== name))}
              />
            </li>
          ))}
        </ul>
      )}
      <Input
        {...field}
        list={listId}
        value={text}
        placeholder={placeholder}
        onChange={({ target }) => setText(target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      <datalist id={listId}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
