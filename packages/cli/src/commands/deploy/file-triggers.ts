// `triggers` in `orchestrator.yaml`: automations of the project, and of one deployment.

import type { AutomationCreate, JsonObject } from "@orchestrator/contract";
import { UsageError } from "../../output/fail.ts";
import { listValue, recordValue, rejectUnknownKeys, textValue } from "./file-values.ts";
import { LEFT_OUT } from "./trigger-changes.ts";

/** An automation, found again by its name. What it refers to may stand in it by name. */
export interface FileAutomation {
  readonly name: string;
  readonly fields: JsonObject;
}

const AUTOMATION = [
  "name",
  "description",
  "enabled",
  "tags",
  "trigger",
  "actions",
  "actions_on_trigger",
  "actions_on_resolve",
];
const TRIGGER = [
  "type",
  "posture",
  "expect",
  "after",
  "match",
  "match_related",
  "for_each",
  "threshold",
  "within",
  "require",
  "triggers",
];
/** What the run that a trigger of a deployment starts is given. */
const RUN = ["parameters", "job_variables", "schedule_after"];
const ABOUT = ["name", "description", "enabled"];

export function automationsValue(value: unknown, where: string): readonly FileAutomation[] {
  const found = listValue(value, where).map((entry, i) => {
    const place = `${where}[${i}]`;
    const given = recordValue(entry, place);
    rejectUnknownKeys(Object.keys(given), { known: AUTOMATION, where: place });
    if (given["name"] === undefined) throw new UsageError(`${place} needs a name`);
    const name = textValue(given["name"], `${place}.name`);
    const trigger = completed(recordValue(given["trigger"], `${place}.trigger`));
    const actions = listValue(given["actions"] ?? [], `${place}.actions`);
    return { name, fields: { ...given, name, trigger, actions } as JsonObject };
  });
  rejectDoubles(found, where);
  return found;
}

/** Triggers that start a run of their deployment. */
export function triggersValue(value: unknown, where: string): readonly JsonObject[] {
  return listValue(value, where).map((entry, i) => {
    const place = `${where}[${i}]`;
    const given = recordValue(entry, place);
    rejectUnknownKeys(Object.keys(given), { known: [...ABOUT, ...TRIGGER, ...RUN], where: place });
    return given;
  });
}

/** `report/nightly: 1`, unless a trigger has a name of its own. */
export function automationsOf(
  deployment: string,
  triggers: readonly JsonObject[],
): readonly FileAutomation[] {
  const found = triggers.map((given, i) => {
    const own = given["name"] === undefined ? String(i + 1) : textValue(given["name"], "name");
    const name = `${ownedPrefix(deployment)}${own}`;
    const action = { type: "run-deployment", deployment, ...pick(given, RUN) };
    const trigger = completed(pick(given, TRIGGER));
    const fields = { ...pick(given, ABOUT), name, trigger, actions: [action] };
    return { name, fields: fields as JsonObject };
  });
  rejectDoubles(found, `The triggers of ${deployment}`);
  return found;
}

export const ownedPrefix = (deployment: string): string => `${deployment}: `;

const pick = (given: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key)));

/** A trigger for one event need not say so. */
function completed(trigger: JsonObject): JsonObject {
  const isEvent = (trigger["type"] ?? "event") === "event" && trigger["triggers"] === undefined;
  return isEvent ? { type: "event", posture: "Reactive", ...trigger } : trigger;
}

function rejectDoubles(found: readonly FileAutomation[], where: string): void {
  const names = found.map(({ name }) => name);
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined) throw new UsageError(`${where} has two triggers named ${double}`);
}

/** Whole, as replacing an automation leaves what is not sent, or null, as it was. */
export function automationBody({ fields }: FileAutomation): AutomationCreate {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...LEFT_OUT, ...Object.fromEntries(given) } as unknown as AutomationCreate;
}
