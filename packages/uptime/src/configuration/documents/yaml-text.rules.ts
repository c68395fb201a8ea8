// JSON as YAML that people like to read and edit. Every reader of YAML 1.1 or 1.2 takes it for the
// same value.

import type { JsonValue } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";

/** Text that no reader takes for anything but text. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** What readers take for the end of a line or for nothing. */
const ODD = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const INDENT = "  ";

/** A document that is an object or an array. */
export function yamlText(value: JsonValue): string {
  return `${linesOf(value).join("\n")}\n`;
}

function linesOf(value: JsonValue): string[] {
  const inline = inlineOf(value);
  if (inline !== null) return [inline];
  return isList(value)
    ? value.flatMap((item) => listed(linesOf(item)))
    : Object.entries(value as Readonly<Record<string, JsonValue>>).flatMap(([key, item]) =>
        keyed(scalar(key), item),
      );
}

/** What fits behind a key or a dash; null for what needs lines of its own. */
function inlineOf(value: JsonValue): string | null {
  if (typeof value === "string") return scalar(value);
  if (typeof value !== "object" || value === null) return writeJson(value);
  if (isList(value)) {
    const parts = value.map((item) => (typeof item === "object" ? null : inlineOf(item)));
    // A list of words is one line.
    return parts.every((part) => part !== null) ? `[${parts.join(", ")}]` : null;
  }
  return Object.keys(value).length === 0 ? "{}" : null;
}

function keyed(key: string, value: JsonValue): string[] {
  const inline = inlineOf(value);
  if (inline !== null) return [`${key}: ${inline}`];
  return [`${key}:`, ...linesOf(value).map((line) => INDENT + line)];
}

function listed([first = "", ...rest]: readonly string[]): string[] {
  return [`- ${first}`, ...rest.map((line) => INDENT + line)];
}

function scalar(text: string): string {
  if (PLAIN.test(text) && !WORDS.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    ODD,
    (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
