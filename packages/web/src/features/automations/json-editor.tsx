import { floatsOnlyIn, readWrittenJson, writeReadableJson } from "@orchestrator/exact-json";
import { type JSX, useEffect, useRef, useState } from "react";
import { FREE } from "../../api/client.ts";
import { LabeledField, TextArea } from "../../ui/form.tsx";

/** All of it as JSON, which follows the forms and which they follow. */
export function JsonEditor<Value>({
  label,
  value,
  isValue,
  onValue,
}: {
  readonly label: string;
  readonly value: Value;
  /** Says what is missing; undefined when nothing is. */
  readonly isValue: (value: unknown) => string | undefined;
  readonly onValue: (value: Value) => void;
}): JSX.Element {
  const written = writeReadableJson(value);
  const [text, setText] = useState(written);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // What was typed here means the same already and keeps its shape.
    setText((typed) => (meansSame(typed, written) ? typed : written));
    setProblem(undefined);
  }, [written]);
  const area = useRef<HTMLTextAreaElement>(null);
  // What cannot be read is not sent: the form would send what could be read last.
  useEffect(() => area.current?.setCustomValidity(problem ?? ""), [problem]);
  return (
    <LabeledField label={label} error={problem}>
      {(field) => (
        <TextArea
          {...field}
          ref={area}
          rows={22}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            try {
              const read = readDraft(target.value);
              const missing = isValue(read);
              setProblem(missing);
              if (missing === undefined) onValue(read as Value);
            } catch (error) {
              setProblem(error instanceof Error ? error.message : "Not valid JSON");
            }
          }}
        />
      )}
    </LabeledField>
  );
}

/**
 * Numbers as they were typed, where others get them; the forms take those of their own as plain
 * ones.
 */
const readDraft = (text: string): unknown => floatsOnlyIn(FREE, readWrittenJson(text));

function meansSame(typed: string, written: string): boolean {
  try {
    return writeReadableJson(readDraft(typed)) === written;
  } catch {
    return false;
  }
}
