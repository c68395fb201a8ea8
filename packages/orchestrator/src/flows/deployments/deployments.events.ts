import type { ResourceEvent } from "../../events/emit.ts";
import { relatedTo, type WatchedDeployment } from "../../work/pools/readiness.events.ts";
import type { DeploymentChange } from "./deployment-changes.rules.ts";

export function deploymentEvent(
  verb: "created" | "deleted",
  row: WatchedDeployment,
  occurred: string,
): ResourceEvent {
  const { id, name } = row;
  return { kind: "deployment", verb, id, name, occurred, payload: "{}", related: relatedTo(row) };
}

/**
 * A value longer than this is named as changed, and not told: an event must not grow without bound.
 */
const MAX_TOLD = 50_000;

export function deploymentUpdatedEvent(
  row: WatchedDeployment,
  changes: readonly DeploymentChange[],
  occurred: string,
): ResourceEvent {
  const fields = JSON.stringify(changes.map(({ field }) => field));
  const told = changes
    .filter(({ from, to }) => from.length + to.length <= MAX_TOLD)
    .map(({ field, from, to }) => `"${field}":{"from":${from},"to":${to}}`);
  const { id, name } = row;
  return {
    kind: "deployment",
    verb: "updated",
    id,
    name,
    occurred,
    payload: `{"updated_fields":${fields},"updates":{${told.join(",")}}}`,
    related: relatedTo(row),
  };
}
