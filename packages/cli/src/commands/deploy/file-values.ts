// The kinds of values in `orchestrator.yaml`, each refused with the place where it stands.

import type { JsonObject } from "@orchestrator/contract";
import { isFloat, withoutFraction, writeJson } from "@orchestrator/exact-json";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";

interface Known {
  readonly known: readonly string[];
  readonly where: string;
}

export function rejectUnknownKeys(names: readonly string[], { known, where }: Known): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = suggestion(unknown, known) || ` There are ${known.join(", ")}.`;
  throw new UsageError(`${where} has an unknown key ${unknown}.${hint}`);
}

/** Numbers, such as versions that look like one, are taken as they are written. */
export function textValue(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" || isFloat(value)) return writeJson(value);
  throw new UsageError(`${where} must be a text`);
}

export function flagValue(value: unknown, where: string): boolean {
  if (typeof value === "boolean") return value;
  throw new UsageError(`${where} must be true or false`);
}

export function wholeNumberValue(given: unknown, where: string): number {
  const value = withoutFraction(given);
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(`${where} must be a whole number from 1 on`);
}

export function listValue(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new UsageError(`${where} must be a list`);
}

export function recordValue(value: unknown, where: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new UsageError(`${where} must hold names and values`);
}

export function oneOfValue<Word extends string>(
  value: unknown,
  where: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageError(`${where} must be ${words.join(" or ")}`);
  return found;
}
