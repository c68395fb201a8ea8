import { createHash } from "node:crypto";
import type { SlotKey } from "@orchestrator/contract";
import { readJson, withoutFraction, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import {
  fillTemplate,
  type KeyProblem,
  type TemplatedRun,
  templateProblem,
} from "./key-template.rules.ts";

/** What a run is told apart by, whose slots are kept apart. */
interface KeyedRun {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
}

/** Of slots that are there once for all, and of runs that have no value. */
export const NO_VALUE = "";

const MAX_VALUE_LENGTH = 200;

/**
 * The values of a limit's key that a run has: it takes a slot of each. There is always one, so that
 * runs without a value share the slots of those without.
 */
export function keyValues(key: SlotKey, run: KeyedRun): readonly [string, ...string[]] {
  const values = key.parameter === undefined ? tagged(key, run.tags) : [given(key.parameter, run)];
  const [first = NO_VALUE, ...others] = new Set(values.map(asText));
  return [first, ...others];
}

function given(name: string, { parameters }: KeyedRun): unknown {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

function tagged({ tag_prefix: prefix = "" }: SlotKey, tags: readonly string[]): string[] {
  const found = tags.filter((tag) => tag.startsWith(prefix));
  return found.map((tag) => tag.slice(prefix.length)).toSorted();
}

/** Of a template, a run keeps the value that it was created with. */
export function resolveKey(
  key: SlotKey,
  run: TemplatedRun & { readonly concurrency_key: string | null },
): readonly [string, ...string[]] | KeyProblem {
  if (key.template === undefined) return keyValues(key, run);
  if (run.concurrency_key !== null) return [run.concurrency_key];
  const found = templateValue(key.template, run);
  return typeof found === "string" ? [found] : found;
}

/** What the template gives for a run. */
function templateValue(template: string, run: TemplatedRun): string | KeyProblem {
  const filled = fillTemplate(template, run, (value) => asText(value));
  if ("text" in filled) return asText(filled.text);
  return { problem: `The concurrency key ${template} has no value: ${filled.problem}` };
}

/** The value that a run keeps from its creation; null where the key is no template. */
export function keptKey(stored: string | null, run: TemplatedRun): string | KeyProblem | null {
  const template = receivedKey(stored)?.template;
  return template === undefined ? null : templateValue(template, run);
}

/** Refuses a template that no run could fill. */
export function refuseBadTemplate(template: string | null | undefined, field: string): void {
  const problem = template == null ? null : templateProblem(template);
  if (problem === null) return;
  const msg = `Value error, ${problem}`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", field], msg }]);
}

/** As people would write it; what is too long for that is told apart by its digest. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return NO_VALUE;
  const text = typeof value === "string" ? value : writeJson(ordered(value));
  if (text.length <= MAX_VALUE_LENGTH) return text;
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The same object is the same value, in whatever order its members came; 1.0 is 1. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return withoutFraction(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}

/** A limit's key as it is stored. */
export function storedKey(key: SlotKey | null | undefined): string | null {
  return key == null ? null : writeJson(key);
}

export function receivedKey(stored: string | null): SlotKey | null {
  return stored === null ? null : (readJson(stored) as SlotKey);
}
