// Values that a job's configuration names and the server keeps: variables, and blocks with their
// secrets.

import type { OrchestratorClient } from "@orchestrator/client";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { hasStatus } from "../report/connection.ts";
import { JobError } from "./runner.ts";

const NOT_THERE = 404;

/**
 * Looks up what is named as `orchestrator.variables.x`, `orchestrator.blocks.type.name.field` or
 * `$NAME`.
 */
export async function resolveReference(
  client: OrchestratorClient,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, JsonValue>> {
  const found = await Promise.all(
    [...names].map(async (name) => [name, await valueOf(client, name)] as const),
  );
  return new Map(found);
}

async function valueOf(client: OrchestratorClient, name: string): Promise<JsonValue> {
  if (name.startsWith("$")) {
    const value = process.env[name.slice(1)];
    if (value === undefined) throw new JobError(`The worker's environment has no ${name.slice(1)}`);
    return value;
  }
  const [, kind, ...rest] = name.split(".");
  try {
    if (kind === "variables" && rest.length > 0) {
      return (await client.variables.readByName(rest.join("."))).value;
    }
    const [type, block, ...path] = rest;
    if (kind === "blocks" && type !== undefined && block !== undefined) {
      const { data } = await client.blockDocuments.readByName(type, block, {
        include_secrets: true,
      });
      return partOf(data, { path, name });
    }
  } catch (error) {
    if (!hasStatus(error, NOT_THERE)) throw error;
  }
  throw new JobError(`The job's configuration names ${name}, and the server has no such thing`);
}

/** A block that is but one value stands for that value. */
function partOf(
  data: JsonObject,
  { path, name }: { readonly path: readonly string[]; readonly name: string },
): JsonValue {
  const isOneValue = Object.keys(data).length === 1 && data["value"] !== undefined;
  let value: JsonValue = path.length === 0 && isOneValue ? (data["value"] ?? null) : data;
  for (const key of path) {
    const inner: unknown =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
    if (inner === undefined) throw new JobError(`${name} leads nowhere: there is no ${key} in it`);
    value = inner as JsonValue;
  }
  return value;
}
