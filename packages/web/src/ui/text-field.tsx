import type { ComponentProps, JSX, ReactNode } from "react";
import { Field, Input } from "./form.tsx";

/** A labelled line of text, or a number as it is typed. */
export function TextField({
  label,
  hint,
  error,
  value,
  onText,
  ...rest
}: Omit<ComponentProps<"input">, "value" | "onChange"> & {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}): JSX.Element {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <Input {...rest} {...field} value={value} onChange={({ target }) => onText(target.value)} />
      )}
    </Field>
  );
}
