import type { ComponentProps, JSX, ReactNode } from "react";
import { Field, Input, TextArea } from "./form.tsx";

interface TextProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A labelled line of text, or a number as it is typed. */
export function TextField({
  label,
  hint,
  error,
  value,
  onText,
  ...rest
}: Omit<ComponentProps<"input">, "value" | "onChange"> & TextProps): JSX.Element {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <Input {...rest} {...field} value={value} onChange={({ target }) => onText(target.value)} />
      )}
    </Field>
  );
}

/** The same with room for several lines. */
export function TextAreaField({
  label,
  hint,
  error,
  value,
  onText,
  ...rest
}: Omit<ComponentProps<"textarea">, "value" | "onChange"> & TextProps): JSX.Element {
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <TextArea
          {...rest}
          {...field}
          value={value}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}
