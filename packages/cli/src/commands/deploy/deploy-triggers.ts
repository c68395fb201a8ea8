// Makes the automations of a file, or replaces those of the same name that are different.

import type { Automation, JsonObject, JsonValue } from "@orchestrator/contract";
import { collect } from "../../io/collect.ts";
import { orNull } from "../../io/find.ts";
import type { CliSession } from "../../io/session.ts";
import { UsageError } from "../../output/fail.ts";
import { automationBody, type FileAutomation, ownedPrefix } from "./file-triggers.ts";
import type { Outcome } from "./outcome.ts";
import { changedFields } from "./trigger-changes.ts";

interface Wanted {
  readonly automations: readonly FileAutomation[];
  /** Deployments that have the triggers of the file and no others. */
  readonly owners: readonly string[];
}

export async function deployTriggers(
  { client }: CliSession,
  { automations, owners }: Wanted,
  { dryRun }: { readonly dryRun?: true },
): Promise<Outcome[]> {
  if (automations.length === 0 && owners.length === 0) return [];
  const stored = await collect(client.automations.each({ sort: "NAME_ASC" }));
  const outcomes: Outcome[] = [];
  for (const wanted of automations) {
    const { name } = wanted;
    const [same, another] = stored.filter((one) => one.name === name);
    if (another !== undefined)
      throw new UsageError(
        `There are several automations named ${name}: rename or delete all but one`,
      );
    const body = automationBody(wanted);
    if (same === undefined) {
      const id = dryRun ? null : (await client.automations.create(body)).id;
      outcomes.push({ name, action: "create", changes: [], id });
      continue;
    }
    // One that was switched off by hand stays off, unless the file says otherwise.
    const { enabled: given } = wanted.fields;
    const enabled = typeof given === "boolean" ? given : same.enabled;
    const changes = await changesOf(client, { ...wanted.fields, enabled }, same);
    if (changes.length > 0 && !dryRun)
      await client.automations.replace(same.id, { ...body, enabled });
    outcomes.push({ name, action: changes.length > 0 ? "change" : "none", changes, id: same.id });
  }
  const names = new Set(automations.map(({ name }) => name));
  for (const { id, name } of stored.filter((one) => isLeftOver(one, names, owners))) {
    if (!dryRun) await client.automations.delete(id);
    outcomes.push({ name, action: "delete", changes: [], id });
  }
  return outcomes;
}

const isLeftOver = (
  { name }: Automation,
  names: ReadonlySet<string>,
  owners: readonly string[],
): boolean => !names.has(name) && owners.some((owner) => name.startsWith(ownedPrefix(owner)));

/** What is named by name counts as changed, where the server does not tell its id at once. */
async function changesOf(
  client: CliSession["client"],
  fields: JsonObject,
  stored: Automation,
): Promise<string[]> {
  const entries = Object.entries(fields).map(async ([field, value]) => [
    field,
    field.startsWith("actions") ? await withIds(client, value) : value,
  ]);
  const wanted = Object.fromEntries((await Promise.all(entries)) as [string, JsonValue][]);
  return changedFields(stored as unknown as Readonly<Record<string, unknown>>, wanted);
}

async function withIds(client: CliSession["client"], actions: JsonValue | undefined) {
  if (!Array.isArray(actions)) return actions ?? null;
  return Promise.all(
    actions.map(async (action: JsonValue) => {
      const { deployment, ...rest } = action as JsonObject;
      const slash = typeof deployment === "string" ? deployment.lastIndexOf("/") : -1;
      if (typeof deployment !== "string" || slash === -1) return action;
      const [flow, name] = [deployment.slice(0, slash), deployment.slice(slash + 1)];
      const found = await orNull(client.deployments.readByName(flow, name));
      return found === null ? action : { ...rest, deployment_id: found.id };
    }),
  );
}
