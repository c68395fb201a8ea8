// Whoever knows the token of a heartbeat can call in its name: it is not shown to those who may not
// change the monitor.

import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { CheckConfig } from "../checks/registry.ts";
import type { Monitor } from "../models.ts";

const HEARTBEAT = '"heartbeat"';

/**
 * A record, or an array of them, as the caller may see it. Most hold no heartbeat and are not even
 * read.
 */
export function withoutTokens<T extends Monitor | Monitor[]>(
  { caller }: Scope,
  json: JsonText<T>,
): JsonText<T> {
  if (caller.isKeptFromChanges !== true || !json.includes(HEARTBEAT)) return json;
  const shown = readJson(json) as Monitor | Monitor[];
  return writeJson(
    Array.isArray(shown) ? shown.map((monitor) => tokenless(monitor)) : tokenless(shown),
  );
}

/** The same without tokens. */
export const tokenless = <M extends Pick<Monitor, "pipeline">>(monitor: M): M => ({
  ...monitor,
  pipeline: monitor.pipeline.map(withoutToken),
});

function withoutToken(check: CheckConfig): CheckConfig {
  if (check.type !== "heartbeat") return check;
  const { token: _kept, ...rest } = check;
  return rest;
}
