import { type JSX, useId, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { Input } from "../../ui/form.tsx";

/**
 * Several names. Enter begins the next one; what is being typed counts at once, so that nothing
 * moves under the pointer, or is lost, when somebody leaves the field by clicking elsewhere.
 */
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
  // The name among them that still stands in the field.
  const [typed, setTyped] = useState("");
  const listId = useId();
  const kept = typed !== "" && names.at(-1) === typed ? names.slice(0, -1) : names;
  const type = (next: string) => {
    const name = next.trim();
    const isNew = name !== "" && !kept.includes(name);
    setText(next);
    setTyped(isNew ? name : "");
    onNames(isNew ? [...kept, name] : kept);
  };
  const beginNext = () => {
    setText("");
    setTyped("");
  };
  return (
    <div className="stack-tight">
      {kept.length > 0 && (
        <ul className="names" aria-label={label}>
          {kept.map((name) => (
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
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          beginNext();
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
