// How the texts of the command line are read. What cannot be read is a usage error, with exit code
// 2.

import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { NumberTooLarge, readWrittenJson } from "@orchestrator/exact-json";
import { InvalidArgumentError } from "commander";

/** Of an option that may be given several times. */
export const several = (value: string, before: readonly string[]): string[] => [...before, value];

/** A whole number of at least so much. */
export const parseWholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };

/** JSON, or the text as it is. */
export function looseJson(text: string): JsonValue {
  try {
    return readWrittenJson(text) as JsonValue;
  } catch (error) {
    if (error instanceof NumberTooLarge) throw new InvalidArgumentError(`${error.message}.`);
    return text;
  }
}

/** `name=value` pairs, the later before the earlier; values are JSON or texts. */
export function pair(text: string, before: JsonObject = {}): JsonObject {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("It must be name=value.");
  return { ...before, [text.slice(0, at)]: looseJson(text.slice(at + 1)) };
}

type Texts = Readonly<Record<string, string>>;

/** The same, where values are texts whatever they look like. */
export function textPair(text: string, before: Texts = {}): Texts {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("It must be name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** A JSON object; `-` stands for the standard input and `@file` for a file that holds it. */
export function jsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = readWrittenJson(textOrFile(text));
  } catch (error) {
    throw new InvalidArgumentError(`It is no JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"name": "value"}'.`);
}

/** What is given, or what the standard input (`-`) or a file (`@path`) holds. */
export function textOrFile(text: string): string {
  if (text === "-") return readFileSync(0, "utf8");
  return text.startsWith("@") ? readFileSync(text.slice(1), "utf8") : text;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^s(ec(ond)?s?)?$/, 1],
  [/^m(in(ute)?s?)?$/, 60],
  [/^h((ou)?rs?)?$/, 3600],
  [/^d(ays?)?$/, 86_400],
  [/^w(eeks?)?$/, 604_800],
];
const SPAN = /^(\d+(\.\d+)?[a-z]+)+$/;
const PART = /(?<count>[\d.]+)(?<unit>[a-z]+)/g;

/** `90`, `10m`, `1h30m`, `2 hours`: a time span in seconds. */
export function parseDuration(text: string): number {
  const compact = text.toLowerCase().replaceAll(/\s+/g, "");
  if (/^\d+(\.\d+)?$/.test(compact)) return Number(compact);
  let seconds = SPAN.test(compact) ? 0 : Number.NaN;
  for (const { groups } of compact.matchAll(PART)) {
    const size = UNITS.find(([names]) => names.test(groups?.["unit"] ?? ""))?.[1];
    seconds += Number(groups?.["count"]) * (size ?? Number.NaN);
  }
  if (Number.isFinite(seconds)) return seconds;
  throw new InvalidArgumentError("It must be a time span, such as 30s, 10m or 1h30m.");
}

/** A date and a time, of this machine's zone unless one is given. */
export function moment(text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError(
    "It must be a time, such as 2026-11-15T09:00 or 2026-11-15T09:00Z.",
  );
}
