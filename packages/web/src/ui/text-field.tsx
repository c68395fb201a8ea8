import type { ComponentProps, JSX, ReactNode } from "react";
import { Input, LabeledField, TextArea } from "./form.tsx";

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
    <LabeledField label={label} hint={hint} error={error}>
      {(field) => (
        <Input {...rest} {...field} value={value} onChange={({ target }) => onText(target.value)} />
      )}
    </LabeledField>
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
    <LabeledField label={label} hint={hint} error={error}>
      {(field) => (
        <TextArea
          {...rest}
          {...field}
          value={value}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </LabeledField>
  );
}
