// Files that people write, in YAML or JSON. `${env:NAME}` in a text stands for a variable of the
// environment, so that secrets need not stand in the file.

import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { UsageError } from "../output/fail.ts";
import { ordinaryIntegers, YAML_NUMBERS } from "./yaml-numbers.ts";

const REFERENCE = /\$\{env:(?<name>[^}]*)\}/g;

/** What a file says; `-` stands for the standard input. JSON is YAML, too. */
async function readDocument(path: string): Promise<JsonValue> {
  const text = textOf(path);
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(text, ordinaryIntegers, { ...YAML_NUMBERS, maxAliasCount: 100 });
  } catch (error) {
    throw new UsageError(`${nameOf(path)} cannot be read as YAML or JSON: ${reasonOf(error)}`);
  }
  return withEnvironment((value ?? null) as JsonValue, nameOf(path));
}

/** The same, where it must be one object. */
export async function readObjectFile(path: string): Promise<JsonObject> {
  const value = await readDocument(path);
  if (isObject(value)) return value;
  throw new UsageError(`${nameOf(path)} must hold names and values, and it does not`);
}

/** The same, where it may be one object, or a list of them. */
export async function readObjects(path: string): Promise<JsonObject[]> {
  const value = await readDocument(path);
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const objects = items.filter(isObject);
  if (objects.length > 0 && objects.length === items.length) return objects;
  throw new UsageError(
    `${nameOf(path)} must hold names and values, or a list of such, and it does not`,
  );
}

/**
 * With the environment's values in the places that refer to it; all that are missing are told at
 * once.
 */
export function withEnvironment<Value extends JsonValue>(value: Value, source: string): Value {
  const missing = new Set<string>();
  const replaced = mapTexts(value, (text) =>
    text.replaceAll(REFERENCE, (_whole, name: string) => {
      const found = process.env[name];
      if (found === undefined) missing.add(name);
      return found ?? "";
    }),
  );
  if (missing.size > 0) {
    const names = [...missing].join(", ");
    throw new UsageError(
      `${source} refers to what the environment does not have: ${names}. Set it, as in ${[...missing][0]}=… orchestrator …`,
    );
  }
  return replaced as Value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]),
  );
}

const nameOf = (path: string): string => (path === "-" ? "The standard input" : path);

function textOf(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new UsageError(`${nameOf(path)} cannot be read: ${reasonOf(error)}`);
  }
}

/** The first line: the parser shows the place below it, which may hold a secret. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
