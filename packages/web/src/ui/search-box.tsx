import { type JSX, useEffect, useState } from "react";
import { Input } from "./form.tsx";

const TYPING_MS = 250;

/** Hands on what is typed when the typing pauses. */
export function SearchBox({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
}): JSX.Element {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onValue(text), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className="search-box">
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}
