// What a template is told about a request.

import type { JsonValue } from "@orchestrator/contract";
import type { MessageReading } from "@orchestrator/kernel/http";

export interface WebhookRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, JsonValue>>;
  readonly body: JsonValue;
  /** Too large for a template to look at in the event loop. */
  readonly isLarge: boolean;
}

/** Never shown to a template, whose result is stored and read by many. */
const CREDENTIAL =
  /authorization|cookie|pass(?:word|wd|phrase)|secret|token|credential|signature|api[-_]?key|private[-_]?key|access[-_]?key/i;

/** The headers as texts. */
export function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(", ")] as const],
  );
  return Object.fromEntries(entries);
}

export function withoutCredentialHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIAL.test(name)));
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)$/;

/**
 * The body as JSON, as the fields of a form, or as text, by what it is said to be. One that is not
 * said to be anything may be JSON.
 */
export function readBody(
  bytes: Buffer,
  contentType: string | undefined,
  readJson: (bytes: Buffer) => MessageReading<unknown>,
): MessageReading<JsonValue> {
  if (bytes.length === 0) return { value: null };
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const text = withoutNul(bytes.toString("utf8"));
  if (type === FORM) return { value: formFieldsOf(new URLSearchParams(text)) };
  if (type !== "" && !JSON_TYPE.test(type)) return { value: text };
  const reading = readJson(bytes);
  if ("value" in reading) return { value: reading.value as JsonValue };
  return type === "" ? { value: text } : reading;
}

/**
 * In the JSON of an event PostgreSQL could look for nothing any more; a form may hide it behind its
 * percent signs.
 */
const withoutNul = (text: string): string => text.replaceAll("\0", "");

/** Each field once; one that is given several times has all its values. */
export function formFieldsOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [given, written] of parameters) {
    const [name, value] = [withoutNul(given), withoutNul(written)];
    const before = fields.get(name);
    // A list grows in its place: a sender may repeat one name half a million times.
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(fields);
}
