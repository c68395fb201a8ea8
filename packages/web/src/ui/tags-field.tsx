import { type JSX, useState } from "react";
import { splitNames } from "../lib/words.ts";
import { TextField } from "./text-field.tsx";

/** Names with commas between them; what is half typed stays as it is. */
export function TagsField({
  label = "Tags",
  error,
  placeholder,
  tags,
  onTags,
}: {
  readonly label?: string;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
}): JSX.Element {
  const [text, setText] = useState("");
  const written = tags.join(", ");
  return (
    <TextField
      label={label}
      hint="Separate tags with commas"
      error={error}
      placeholder={placeholder}
      value={splitNames(text).join(", ") === written ? text : written}
      onText={(typed) => {
        setText(typed);
        onTags(splitNames(typed));
      }}
    />
  );
}
