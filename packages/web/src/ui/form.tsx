import "./form.css";
import {
  type ComponentProps,
  type JSX,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from "react";

/** A labelled input; what is wrong with it is read out with it. */
export function LabeledField({
  label,
  hint,
  error,
  children,
}: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (props: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean;
  }) => ReactNode;
}): JSX.Element {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": noteId, "aria-invalid": error !== undefined })}
      <div id={noteId}>
        {error !== undefined && <div className="field__error">{error}</div>}
        {hint && <div className="field__hint">{hint}</div>}
      </div>
    </div>
  );
}

/** The browser says nothing of what is wrong out of sight, and sends nothing either. */
function reveal({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  for (;;) {
    const hiding = currentTarget.closest<HTMLDetailsElement>("details:not([open])");
    if (hiding === null) return;
    hiding.open = true;
  }
}

export function Input(props: ComponentProps<"input">): JSX.Element {
  return <input onInvalid={reveal} {...props} className="input" />;
}

export function TextArea(props: ComponentProps<"textarea">): JSX.Element {
  return <textarea onInvalid={reveal} {...props} className="input" spellCheck={false} />;
}

export function Select<Value extends string>({
  options,
  value,
  onValue,
  ...rest
}: Omit<ComponentProps<"select">, "value" | "onChange"> & {
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}): JSX.Element {
  return (
    <select
      {...rest}
      className="input"
      value={value}
      onChange={({ target }) => onValue(target.value as Value)}
    >
      {options.map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </select>
  );
}

export function CheckboxField({
  label,
  ...rest
}: ComponentProps<"input"> & { readonly label: ReactNode }): JSX.Element {
  return (
    <label className="check">
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}

/** One of a few, all in sight. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onValue,
}: {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}): JSX.Element {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onValue(key)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onValue,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [Value, ReactNode])[];
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  // Where there is no room for all of them, the chosen one is in sight.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    list.current?.scrollTo({ left: (chosen?.offsetLeft ?? 0) - list.current.offsetLeft - 40 });
  }, [value]);
  const step = (by: number) => {
    const at = tabs.findIndex(([key]) => key === value);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next !== undefined) onValue(next[0]);
  };
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label}>
      {tabs.map(([key, text]) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === value}
          tabIndex={key === value ? 0 : -1}
          onClick={() => onValue(key)}
          onKeyDown={({ key: pressed }) => {
            if (pressed === "ArrowRight") step(1);
            if (pressed === "ArrowLeft") step(-1);
          }}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
