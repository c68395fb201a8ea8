import { isUtf8 } from "node:buffer";
import {
  isWellFormed,
  MOST_DIGITS,
  namesInOrder,
  objectInOrder,
  readExactly,
} from "@orchestrator/exact-json";
import { InvalidRequestError, malformedJson, type RequestProblem } from "./invalid-request.ts";
import { depthMessage, findJsonFault } from "./json-scanner.ts";
import { readJsonShape } from "./json-shape.ts";

export interface StrictJsonOptions {
  readonly maxDepth: number;
  /** Drops NUL characters from strings and keys where they would otherwise be refused. */
  readonly stripNul: boolean;
}

const BYTE_ORDER_MARK = "\ufeff";

interface Tally {
  keys: number;
  readonly hasUnicodeEscape: boolean;
}

/**
 * Parses JSON and refuses what would hurt further in: duplicate and prototype keys, NUL characters,
 * lone surrogates, numbers that overflow, deep nesting. Whole numbers that a number would alter are
 * bigints, and those written as floats `Float`s.
 *
 * NUL and lone surrogates can only be written as \u escapes, so a text without them is not
 * searched. Duplicate keys show in a count: the text holds more keys than the value. The depth is
 * known before the built-in parser runs, which would spend a tenth of a second on a megabyte of
 * brackets.
 */
export function parseStrictJson(bytes: Buffer, options: StrictJsonOptions): unknown {
  if (!isUtf8(bytes)) throw malformedJson(undefined, "The body is not valid UTF-8");
  const shape = readJsonShape(bytes, options.maxDepth);
  const { keys, isTooDeep, hasUnicodeEscape, hasFloat, hasIndexKey } = shape;
  if (isTooDeep) throw malformedJson(undefined, depthMessage(options.maxDepth));
  const text = decodeJsonText(bytes);
  const parsed = parse(text, options);
  const tally: Tally = { keys: 0, hasUnicodeEscape };
  const isSound = take(parsed, tally);
  if (tally.keys !== keys) {
    const fault = findJsonFault(text, options.maxDepth);
    if (fault !== undefined) throw malformedJson(fault.position, fault.message);
  }
  if (isSound) return hasFloat || hasIndexKey ? readExactly(text) : parsed;
  return inspect(readExactly(text), [], options);
}

/** The text of bytes that are known to be UTF-8, without a byte order mark. */
export function decodeJsonText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parse(text: string, options: StrictJsonOptions): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text, options.maxDepth);
    if (fault === undefined) throw error;
    throw malformedJson(fault.position, fault.message);
  }
}

/**
 * Counts keys in one pass; false when the value deserves a closer look. The text's depth was
 * checked before.
 */
function take(value: unknown, tally: Tally): boolean {
  if (typeof value === "string") return !tally.hasUnicodeEscape || isClean(value);
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  let sound = true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) sound = take(value[i], tally) && sound;
    return sound;
  }
  for (const key in value) {
    tally.keys += 1;
    if (key === "__proto__" || key === "constructor") sound = false;
    if (tally.hasUnicodeEscape && !isClean(key)) sound = false;
    sound = take((value as Record<string, unknown>)[key], tally) && sound;
  }
  return sound;
}

function isClean(text: string): boolean {
  return !text.includes("\0") && isWellFormed(text);
}

const NOT_FINITE = `Input should be a finite number, if whole of at most ${MOST_DIGITS} digits`;

/**
 * Finds the first offence with its place; returns the value, rebuilt where NUL characters were
 * dropped.
 */
function inspect(value: unknown, path: (string | number)[], options: StrictJsonOptions): unknown {
  if (typeof value === "string") return inspectText(value, path, options);
  if (typeof value === "number" && !Number.isFinite(value))
    refuse("finite_number", path, NOT_FINITE);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => inspect(item, [...path, index], options));
  }
  const members = namesInOrder(value).map((key): [string, unknown] => {
    const place = [...path, key];
    const name = inspectText(key, place, options);
    const member = (value as Record<string, unknown>)[key];
    if (name === "__proto__" || (name === "constructor" && hasPrototype(member))) {
      refuse("value_error", place, `Value error, the key '${name}' is not allowed`);
    }
    return [name, inspect(member, place, options)];
  });
  return objectInOrder(members);
}

function inspectText(text: string, path: (string | number)[], options: StrictJsonOptions): string {
  if (!isWellFormed(text)) {
    const msg = "Input should be a valid string, unable to parse raw data as a unicode string";
    refuse("string_unicode", path, msg);
  }
  if (!text.includes("\0")) return text;
  if (options.stripNul) return text.replaceAll("\0", "");
  return refuse("value_error", path, "Value error, NUL characters are not allowed");
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}

function refuse(type: string, path: readonly (string | number)[], msg: string): never {
  const loc = ["body", ...path.map(printable)];
  const problem: RequestProblem = { type, loc, msg };
  throw new InvalidRequestError([problem]);
}

/** A place is echoed to the caller, so it must not repeat the offending characters. */
function printable(part: string | number): string | number {
  return typeof part === "number" ? part : part.replaceAll("\0", "").replace(/\p{Cs}/gu, "\ufffd");
}
