// What an update changes, field by field.

import type { ImportDifference, JsonValue } from "@orchestrator/contract";
import { isSameJson } from "@orchestrator/exact-json";
import type { PipelineSecrets } from "../../monitors/pipeline-secrets.rules.ts";

/** Lists of words are read as a whole, these value by value. */
const DEEP = new Set(["pipeline", "groups"]);

/**
 * The fields of two monitors, windows or pages that differ; what is in masks looks the same here.
 */
export function differencesBetween<Thing extends object>(
  before: Thing,
  after: Thing,
): ImportDifference[] {
  return Object.keys(after).flatMap((field) => {
    const key = field as keyof Thing;
    const pair = { before: plain(before[key]), after: plain(after[key]) };
    return DEEP.has(field) ? [...within(field, pair)] : [...told(field, pair)];
  });
}

/** The places whose secret is another one, or is new or gone. */
export function secretDifferences(
  before: PipelineSecrets,
  after: PipelineSecrets,
): ImportDifference[] {
  const places = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...places]
    .filter((place) => before[place] !== after[place])
    .map((field) => ({ field, before: null, after: null, secret: true }));
}

interface Pair {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

function* told(field: string, { before, after }: Pair): Generator<ImportDifference> {
  if (isSameJson(before, after)) return;
  yield { field, before: before ?? null, after: after ?? null, secret: false };
}

/** Down to the values that differ. */
function* within(field: string, { before, after }: Pair): Generator<ImportDifference> {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i += 1)
      yield* within(`${field}[${i}]`, {
        before: before[i] as JsonValue | undefined,
        after: after[i] as JsonValue | undefined,
      });
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* within(`${field}.${key}`, { before: before[key], after: after[key] });
  } else yield* told(field, { before, after });
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is there, as JSON. */
const plain = (value: unknown): JsonValue | undefined => value as JsonValue | undefined;
