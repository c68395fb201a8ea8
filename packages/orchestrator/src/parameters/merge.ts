import { type JsonMap, mergeMembers } from "@orchestrator/exact-json";

/** What a run gets: the deployment's parameters, and over them its own. */
export function mergeParameters(deployment: JsonMap, run: JsonMap): JsonMap {
  return mergeMembers(deployment, run);
}

export const MAX_PARAMETERS_BYTES = 524_288;

/** Whether parameters, as JSON text, take more room than a run may have for them. */
export function parametersTooLarge(json: string): boolean {
  // Most are far away from the limit: a unit of a text is never more than three bytes.
  return json.length * 3 > MAX_PARAMETERS_BYTES && Buffer.byteLength(json) > MAX_PARAMETERS_BYTES;
}
