import type { ServedFlowRun } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { claimOffers } from "../../runs/flow-runs/claim-offers.service.ts";
import { findDeploymentOffers, type WaitingPoll } from "./polled-runs.service.ts";

/**
 * The due runs of served deployments that could be claimed; with `wait_seconds`, as soon as there
 * are any.
 */
export async function claimServedRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  { gone, ...poll }: Omit<WaitingPoll, "gone"> & { readonly gone: AbortSignal },
): Promise<JsonText<ServedFlowRun[]>> {
  const claims = await claimOffers(ctx, scope, {
    waitSeconds: poll.wait_seconds,
    gone,
    find: (wait) => findDeploymentOffers(ctx, scope, { ...poll, ...wait, gone: () => gone }),
    labels: async () => ({}),
  });
  const runs = claims.map(
    ({ offer, state }) => `{"flow_run":${offer.json},"state":${writeJson(state)}}`,
  );
  return `[${runs.join(",")}]`;
}
