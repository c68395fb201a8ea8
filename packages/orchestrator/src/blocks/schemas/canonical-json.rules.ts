// JSON as checksums are taken over: with sorted keys, a space behind commas and colons, nothing
// beyond ASCII, and numbers as Python writes them.

import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { isFloat } from "@orchestrator/exact-json";

export function canonicalJson(value: JsonValue): string {
  if (typeof value === "string") return asciiText(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(", ")}]`;
  if (isJsonObject(value)) {
    const members = sortedKeys(value).map(
      (key) => `${asciiText(key)}: ${canonicalJson(value[key] ?? null)}`,
    );
    return `{${members.join(", ")}}`;
  }
  if (isFloat(value)) return floatText(value());
  // A longer whole number is a bigint, so any other was written with a fraction or an exponent.
  return typeof value === "number" && !Number.isSafeInteger(value)
    ? floatText(value)
    : String(value);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** By code points, not by halves of them. */
function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function asciiText(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The shortest text that reads back as the number, always with a fraction or an exponent: 1.0,
 * 1e-05, 1e+16.
 */
function floatText(number: number): string {
  const [mantissa = "", power = "0"] = number.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? "-" : "+";
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = Object.is(number, -0) ? "-0" : String(number);
  return plain.includes(".") ? plain : `${plain}.0`;
}
