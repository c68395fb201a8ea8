import type { FlowRun } from "@orchestrator/contract";
import type { JsonText, Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { POLLS_TOPIC } from "../work-pools/poll-recorder.ts";
import { dueAhead, dueOf, msUntilWanted, secondsAhead } from "../work-pools/poll-window.rules.ts";
import type { PollSource } from "../work-pools/waiting-polls.ts";
import { deploymentTopic } from "../work-pools/work-topics.rules.ts";
import {
  findDueRuns,
  findNextTime,
  readPolledDeployments,
  readWaitingRuns,
} from "./polled-runs.store.ts";

interface Poll {
  readonly deployment_ids: readonly string[];
  readonly scheduled_before?: string | undefined;
  readonly limit: number;
}

/**
 * The runs of some deployments that are due; with `wait_seconds`, as soon as there are any. Asking for them says that
 * somebody serves these deployments.
 */
export async function pollDeployments(
  ctx: OrchestratorContext,
  scope: Scope,
  poll: Poll & {
    readonly wait_seconds?: number | undefined;
    /** Fires when nobody is there any more to take the answer. */
    readonly signal: AbortSignal;
  },
): Promise<JsonText<FlowRun[]>> {
  const { limit, wait_seconds: seconds, signal } = poll;
  if (seconds === undefined) {
    return lookAtDeployments(ctx, scope, { ...poll, before: dueOf(poll).before });
  }
  const offers = await ctx.waits.wait(sourceOf(ctx, scope, poll), { limit, seconds, signal });
  return `[${offers.map(({ json }) => json).join(",")}]`;
}

function sourceOf(ctx: OrchestratorContext, scope: Scope, poll: Poll): PollSource {
  const ahead = secondsAhead(poll, ctx.clock.nowMicros());
  const deployment_ids = [...new Set(poll.deployment_ids)].toSorted();
  const topics = deployment_ids.map(deploymentTopic);
  return {
    key: JSON.stringify([scope.workspaceId, "deployments", deployment_ids, ahead]),
    look: async ({ limit, withNext }) => {
      const nowMicros = ctx.clock.nowMicros();
      const { before } = dueAhead(ahead, {}, nowMicros);
      const json = await lookAtDeployments(ctx, scope, { deployment_ids, limit, before });
      const queries = ctx.db.in(scope.workspaceId);
      const next = withNext ? await findNextTime(queries, { deployment_ids, after: before }) : null;
      const runs = json === "[]" ? [] : (JSON.parse(json) as FlowRun[]);
      return {
        offers: runs.map((run) => ({ id: run.id, json: JSON.stringify(run) })),
        topics,
        nextMs: msUntilWanted(next, ahead, nowMicros),
      };
    },
  };
}

async function lookAtDeployments(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  poll: Omit<Poll, "scheduled_before"> & { readonly before: string },
): Promise<JsonText<FlowRun[]>> {
  const queries = ctx.db.in(workspaceId);
  const now = ctx.clock.now();
  const deployments = await readPolledDeployments(queries, poll);
  const existing = deployments.filter(({ status }) => status !== null);
  ctx.polls.record(workspaceId, { deploymentIds: existing.map(({ id }) => id), at: now });
  if (existing.some(({ status }) => status === "NOT_READY")) ctx.db.nudges.fire(POLLS_TOPIC);
  const ids = await findDueRuns(queries, { ...poll, deployments });
  return readWaitingRuns(queries, { ids, now });
}
