// Which fields of an automation of the file are different on the server.

import type { JsonObject } from "@orchestrator/contract";
import { isSameJson } from "@orchestrator/exact-json";

type Fields = Readonly<Record<string, unknown>>;

/** What replacing an automation would leave as it was. */
export const LEFT_OUT = {
  description: "",
  enabled: true,
  tags: [],
  actions_on_trigger: [],
  actions_on_resolve: [],
} as const satisfies JsonObject;

/** What the server fills in, beside null and what is empty. */
const DEFAULTS: Fields = {
  ...LEFT_OUT,
  threshold: 1,
  source: "selected",
  subject: "Automated notification",
  schedule_after: 0,
  force: false,
};
const SHORTEST_ABSENCE_SECONDS = 10;

/** Their keys are the author's, so the server fills in none. */
const VERBATIM = new Set(["match", "match_related", "parameters", "job_variables", "payload"]);
/** The server stores each name once. */
const SETS = new Set(["expect", "after", "for_each", "tags"]);

export function changedFields(stored: Fields, wanted: Fields): string[] {
  const names = new Set([...Object.keys(LEFT_OUT), ...Object.keys(wanted)]);
  return [...names].filter((name) => !isSameField(name, stored, wanted));
}

function isSameField(name: string, stored: Fields, wanted: Fields): boolean {
  const before = stored[name];
  const given = wanted[name] ?? defaultOf(name, stored);
  const after = SETS.has(name) && Array.isArray(given) ? [...new Set<unknown>(given)] : given;
  if (isEmpty(before) && isEmpty(after)) return true;
  return VERBATIM.has(name) ? isSameJson(before, after) : isSame(before, after);
}

function isSame(stored: unknown, wanted: unknown): boolean {
  if (Array.isArray(stored) && Array.isArray(wanted))
    return stored.length === wanted.length && stored.every((one, i) => isSame(one, wanted[i]));
  if (!isFields(stored) || !isFields(wanted)) return isSameJson(stored, wanted);
  // The server gives each trigger an id of its own.
  return [...Object.keys(stored), ...Object.keys(wanted)].every(
    (name) => name === "id" || isSameField(name, stored, wanted),
  );
}

function defaultOf(name: string, stored: Fields): unknown {
  if (name !== "within") return DEFAULTS[name];
  if (stored["type"] !== "event") return null;
  return stored["posture"] === "Proactive" ? SHORTEST_ABSENCE_SECONDS : 0;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value == null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value as object).length === 0);
