// One log record as a line for people. Nothing in a record can begin a second line: control
// characters are spelled out, and a stack trace, which needs its lines, is indented throughout.

import type { JsonRecord } from "./redact.ts";

const LEVEL_COLOURS: Readonly<Record<string, string>> = {
  trace: "90",
  debug: "36",
  info: "32",
  warn: "33",
  error: "31",
  fatal: "35",
};

// Besides the control characters proper: line and paragraph separators, and the marks that reorder
// text on screen.
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const PLAIN_VALUE = /^[^\s"'=\\{}[\]]+$/;
const ERROR_KEYS = ["err", "error"];

export function textLine(record: JsonRecord, hasColour: boolean): string {
  const { timestamp, level, logger, message, ...fields } = record;
  const stacks: string[] = [];
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const error = ERROR_KEYS.includes(key) ? errorParts(value) : null;
    if (error) stacks.push(error.stack);
    const shown = error ? error.rest : value;
    if (shown !== undefined) pairs.push(` ${key}=${fieldText(shown)}`);
  }
  const body = `${messageText(logger)} - ${messageText(message)}${pairs.join("")}`;
  const head = `${paint(clockTime(timestamp), "2", hasColour)} | ${levelText(level, hasColour)} | `;
  return `${head}${escapeUnsafe(body)}\n${stacks.map(indented).join("")}`;
}

/** Local time, since the reader compares it with the clock on the wall. */
function clockTime(timestamp: unknown): string {
  const at = new Date(Date.parse(String(timestamp)));
  if (Number.isNaN(at.getTime())) return "--:--:--.---";
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${hours}:${minutes}:${seconds}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function levelText(level: unknown, hasColour: boolean): string {
  const word = String(level);
  return paint(word.toUpperCase().padEnd(7), LEVEL_COLOURS[word] ?? "0", hasColour);
}

function messageText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldText(value: unknown): string {
  return typeof value === "string" && PLAIN_VALUE.test(value) ? value : JSON.stringify(value);
}

interface ErrorParts {
  readonly stack: string;
  /** What the error carries besides its type, message and stack, if anything. */
  readonly rest: JsonRecord | undefined;
}

function errorParts(value: unknown): ErrorParts | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, message, stack, ...rest } = value as JsonRecord;
  if (typeof message !== "string") return null;
  return {
    stack: typeof stack === "string" && stack !== "" ? stack : `${String(type)}: ${message}`,
    rest: Object.keys(rest).length === 0 ? undefined : rest,
  };
}

function indented(stack: string): string {
  return stack
    .split(LINE_BREAK)
    .map((line) => `    ${escapeUnsafe(line)}\n`)
    .join("");
}

function escapeUnsafe(text: string): string {
  return text.replace(
    UNSAFE,
    (character) =>
      SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function paint(text: string, code: string, hasColour: boolean): string {
  return hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
