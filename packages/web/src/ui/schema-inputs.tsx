import type { JsonValue } from "@orchestrator/contract";
import {
  isFloat,
  NumberTooLarge,
  readWrittenJson,
  withoutFraction,
  writeJson,
  writeReadableJson,
} from "@orchestrator/exact-json";
import { type JSX, useState } from "react";
import { Input, Select, TextArea } from "./form.tsx";
import { isTextOrNumber, type SchemaShape, simpleItems } from "./schema-shape.ts";

interface InputProps {
  readonly field: object;
  readonly value: JsonValue | undefined;
  /** What is used where there is no value. */
  readonly standard?: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

export function PropertyInput({
  field,
  schema,
  value,
  standard,
  onValue,
}: InputProps & { readonly schema: SchemaShape }): JSX.Element {
  const { type, format } = schema;
  const choices = schema["enum"];
  const items = simpleItems(schema);
  if (Array.isArray(choices)) {
    // What the value is can always be seen, and left for the default.
    const shown = value === null && !choices.includes(null) ? [null, ...choices] : choices;
    const options = shown.map((choice) => [choiceText(choice), choiceName(choice)] as const);
    return (
      <Select
        {...field}
        value={value === undefined ? "" : choiceText(value)}
        options={[["", standard == null ? "–" : `– (${choiceName(standard)})`], ...options]}
        onValue={(text) =>
          onValue(shown.find((choice) => choiceText(choice) === text) as JsonValue | undefined)
        }
      />
    );
  }
  if (type === "integer" || type === "number")
    return (
      <Input
        {...field}
        type="number"
        step={type === "integer" ? 1 : "any"}
        placeholder={greyed(value, String(shownNumber(standard)))}
        value={shownNumber(value)}
        onChange={({ target }) => onValue(target.value === "" ? undefined : numberIn(target.value))}
      />
    );
  if (type === "string")
    return (
      <Input
        {...field}
        placeholder={
          greyed(value, typeof standard === "string" ? standard : "") ??
          (format === "date-time" ? "2026-11-15T09:00:00Z" : undefined)
        }
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => onValue(target.value === "" ? undefined : target.value)}
      />
    );
  const input = { field, value, standard, onValue };
  if (isTextOrNumber(schema)) return <TextOrNumberInput {...input} />;
  if (items !== undefined) return <ListInput {...input} isNumbers={items !== "string"} />;
  return <JsonInput {...input} />;
}

/** The default, where it is used because nothing else stands there. */
const greyed = (value: JsonValue | undefined, standard: string): string | undefined =>
  value === undefined && standard !== "" ? standard : undefined;

const choiceName = (choice: unknown): string => String(choice);
/** By which a choice is found: a value that is a float is the same choice as its number. */
const choiceText = (choice: unknown): string => writeJson(withoutFraction(choice));

/** What can be read as a number is one, unless it stands in quotes. */
function TextOrNumberInput({ field, value, standard, onValue }: InputProps): JSX.Element {
  const { problem, read } = useReading();
  const [text, setText] = useState(() => lineOf(value));
  return (
    <>
      <Input
        {...field}
        placeholder={greyed(value, lineOf(standard))}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          read(target, () => onValue(target.value === "" ? undefined : textOrNumber(target.value)));
        }}
      />
      <Problem text={problem} />
    </>
  );
}

function lineOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" && textOrNumber(value) === value ? value : writeJson(value);
}

function textOrNumber(text: string): JsonValue {
  try {
    const read = readWrittenJson(text);
    return typeof read === "object" || typeof read === "boolean" ? text : (read as JsonValue);
  } catch (error) {
    if (error instanceof NumberTooLarge) throw error;
    return text;
  }
}

/** With every digit that was typed, and as a float where it was one. */
function numberIn(text: string): JsonValue {
  try {
    return readWrittenJson(text) as JsonValue;
  } catch (error) {
    if (error instanceof NumberTooLarge) throw error;
    return Number(text);
  }
}

/**
 * A float as its number: React leaves a field alone whose text means the same number, so that `1.0`
 * can be gone on with.
 */
function shownNumber(value: unknown): string | number {
  if (isFloat(value)) return value();
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" ? value : "";
}

/** A line for each item. */
function ListInput({
  field,
  value,
  standard,
  onValue,
  isNumbers,
}: InputProps & { readonly isNumbers: boolean }): JSX.Element {
  const [text, setText] = useState(() => linesOf(value));
  const { problem, read } = useReading();
  return (
    <>
      <TextArea
        {...field}
        value={text}
        placeholder={greyed(value, linesOf(standard)) ?? "One per line"}
        onChange={({ target }) => {
          setText(target.value);
          const lines = target.value.split("\n").filter((line) => line.trim() !== "");
          // What is no number stays a text, so that the server can say so.
          const item = (line: string) => (Number.isNaN(Number(line)) ? line : numberIn(line));
          read(target, () =>
            onValue(lines.length === 0 ? undefined : isNumbers ? lines.map(item) : lines),
          );
        }}
      />
      <Problem text={problem} />
    </>
  );
}

function linesOf(value: JsonValue | undefined): string {
  if (!Array.isArray(value)) return "";
  return value.map((item) => (typeof item === "string" ? item : writeJson(item))).join("\n");
}

/** Keeps what is being typed, and hands it on whenever it can be read. */
export function JsonInput({ field, value, standard, onValue }: InputProps): JSX.Element {
  const [text, setText] = useState(() => jsonOf(value));
  const { problem, read } = useReading();
  return (
    <>
      <TextArea
        {...field}
        value={text}
        placeholder={greyed(value, jsonOf(standard)) ?? "JSON"}
        onChange={({ target }) => {
          setText(target.value);
          const isEmpty = target.value.trim() === "";
          read(target, () =>
            onValue(isEmpty ? undefined : (readWrittenJson(target.value) as JsonValue)),
          );
        }}
      />
      <Problem text={problem} />
    </>
  );
}

const jsonOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? "" : writeReadableJson(value);

/**
 * What is typed and cannot be read is told below it, and the form is not sent: it would hold what
 * could be read last.
 */
function useReading(): {
  readonly problem: string;
  readonly read: (target: HTMLInputElement | HTMLTextAreaElement, take: () => void) => void;
} {
  const [problem, setProblem] = useState("");
  return {
    problem,
    read: (target, take) => {
      let found = "";
      try {
        take();
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        found = error instanceof NumberTooLarge ? error.message : "Not valid JSON";
      }
      target.setCustomValidity(found);
      setProblem(found);
    },
  };
}

function Problem({ text }: { readonly text: string }): JSX.Element | null {
  return text === "" ? null : <div className="field__error">{text}</div>;
}
