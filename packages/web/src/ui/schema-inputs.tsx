import type { JsonValue } from "@orchestrator/contract";
import { type JSX, useState } from "react";
import { Input, Select, TextArea } from "./form.tsx";
import { type Schema, simpleItems } from "./schema-shape.ts";

interface InputProps {
  readonly field: object;
  readonly value: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

export function PropertyInput({
  field,
  schema,
  value,
  onValue,
}: InputProps & { readonly schema: Schema }): JSX.Element {
  const { type, format } = schema;
  const choices = schema["enum"];
  const items = simpleItems(schema);
  if (Array.isArray(choices)) {
    const options = choices.map((choice) => [JSON.stringify(choice), String(choice)] as const);
    return (
      <Select
        {...field}
        value={value === undefined ? "" : JSON.stringify(value)}
        options={[["", "–"], ...options]}
        onValue={(text) => onValue(text === "" ? undefined : (JSON.parse(text) as JsonValue))}
      />
    );
  }
  if (type === "integer" || type === "number")
    return (
      <Input
        {...field}
        type="number"
        step={type === "integer" ? 1 : "any"}
        value={typeof value === "number" ? value : ""}
        onChange={({ target }) => onValue(target.value === "" ? undefined : target.valueAsNumber)}
      />
    );
  if (type === "string")
    return (
      <Input
        {...field}
        placeholder={format === "date-time" ? "2026-11-15T09:00:00Z" : undefined}
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => onValue(target.value === "" ? undefined : target.value)}
      />
    );
  if (items !== undefined)
    return <ListInput {...{ field, value, onValue }} isNumbers={items !== "string"} />;
  return <JsonInput field={field} value={value} onValue={onValue} />;
}

/** A line for each item. */
function ListInput({
  field,
  value,
  onValue,
  isNumbers,
}: InputProps & { readonly isNumbers: boolean }): JSX.Element {
  const [text, setText] = useState(Array.isArray(value) ? value.join("\n") : "");
  return (
    <TextArea
      {...field}
      value={text}
      placeholder="One in each line"
      onChange={({ target }) => {
        setText(target.value);
        const lines = target.value.split("\n").filter((line) => line.trim() !== "");
        // What is no number stays a text, so that the server can say so.
        const read = (line: string) => (Number.isNaN(Number(line)) ? line : Number(line));
        onValue(lines.length === 0 ? undefined : isNumbers ? lines.map(read) : lines);
      }}
    />
  );
}

/** Keeps what is being typed, and hands it on whenever it can be read. */
export function JsonInput({ field, value, onValue }: InputProps): JSX.Element {
  const [text, setText] = useState(
    value === undefined || value === null ? "" : JSON.stringify(value, null, 2),
  );
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <TextArea
        {...field}
        value={text}
        placeholder="JSON"
        onChange={({ target }) => {
          setText(target.value);
          try {
            onValue(
              target.value.trim() === "" ? undefined : (JSON.parse(target.value) as JsonValue),
            );
            setWrong(false);
          } catch {
            setWrong(true);
          }
        }}
      />
      {isWrong && <div className="field__error">This is no JSON yet</div>}
    </>
  );
}
