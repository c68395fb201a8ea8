// What a caller gives for an automation, made complete and checked, before anything is written.

import type { Action, AutomationReplace, JsonObject } from "@orchestrator/contract";
import { mayBeWrong } from "@orchestrator/jinja";
import { sentences } from "@orchestrator/json-schema/problems";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { hydrateParameters } from "../../parameters/hydrate.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { findDeploymentRow } from "../../runs/deployment/deployments.store.ts";
import { findJobTemplate } from "../../runs/deployment/job-templates.store.ts";
import { assertJobVariables } from "../../runs/deployment/parameter-checks.service.ts";
import { checkTemplates } from "../../templates/compute-templates.ts";
import { blockProblem } from "../deliveries/check-block.service.ts";
import { receiveActions, templatesOf } from "./actions/receive-action.rules.ts";
import { type GuardedAutomation, neverEnds } from "./loop-guard.rules.ts";
import { receiveTrigger } from "./triggers/receive-trigger.rules.ts";
import type { TriggerRule } from "./triggers/triggers.rules.ts";

export interface ReceivedAutomation {
  readonly trigger: TriggerRule;
  readonly actions: readonly Action[];
  /** Null where the caller has said nothing about them. */
  readonly actions_on_trigger: readonly Action[] | null;
  readonly actions_on_resolve: readonly Action[] | null;
}

export async function receiveAutomation(
  ctx: OrchestratorContext,
  scope: Scope,
  body: AutomationReplace,
): Promise<ReceivedAutomation> {
  const { actions_on_trigger: onTrigger, actions_on_resolve: onResolve } = body;
  const { dialect } = ctx;
  const received = {
    trigger: receiveTrigger(body.trigger, () => ctx.ids.uuid7()),
    actions: receiveActions(body.actions, { key: "actions", dialect }),
    actions_on_trigger:
      onTrigger == null ? null : receiveActions(onTrigger, { key: "actions_on_trigger", dialect }),
    actions_on_resolve:
      onResolve == null ? null : receiveActions(onResolve, { key: "actions_on_resolve", dialect }),
  };
  for (const key of ["actions", "actions_on_trigger", "actions_on_resolve"] as const) {
    await refuseWrongTemplates(ctx, scope, { actions: received[key] ?? [], key });
    for (const action of received[key] ?? []) await checkJobVariables(ctx, scope, action);
    for (const [index, action] of (received[key] ?? []).entries()) {
      await checkParameters(ctx, scope, { action, loc: ["body", key, index, "parameters"] });
      const problem = await blockProblem(ctx.db.in(scope.workspaceId), action);
      if (problem !== null) throw unfit(["body", key, index], problem);
    }
  }
  return received;
}

export function refuseEndless(automation: GuardedAutomation): void {
  if (neverEnds(automation))
    throw new AppError(
      "invalid",
      "The runs that this automation starts would make it start others without end; restrict its trigger to other runs",
    );
}

async function refuseWrongTemplates(
  ctx: OrchestratorContext,
  scope: Scope,
  { actions, key }: { readonly actions: readonly Action[]; readonly key: string },
): Promise<void> {
  const given = actions.flatMap((action, index) =>
    templatesOf(action)
      .filter(mayBeWrong)
      .map((text) => ({ text, index })),
  );
  if (given.length === 0) return;
  const texts = given.map(({ text }) => text);
  const found = await checkTemplates(ctx.compute.for(scope), texts);
  if (found === null) return;
  const { line, message } = found.problem;
  const loc = ["body", key, given[found.index]?.index ?? 0];
  throw unfit(loc, `line ${line} of the template: ${message}`);
}

function unfit(loc: readonly (string | number)[], problem: string): InvalidRequestError {
  return new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}

/**
 * What its placeholders announce has to be there and be readable; what variables and templates come
 * to is known when it fires.
 */
async function checkParameters(
  ctx: OrchestratorContext,
  scope: Scope,
  { action, loc }: { readonly action: Action; readonly loc: readonly (string | number)[] },
): Promise<void> {
  if (action.type !== "run-deployment" || action.parameters == null) return;
  const { problems } = await hydrateParameters(action.parameters, {
    compute: ctx.compute.for(scope),
    variables: null,
    isRendered: false,
  });
  if (problems.length > 0) throw unfit(loc, sentences(problems).join("; "));
}

/**
 * As far as can be told now: the deployment may change, and the pool's template may ask for more.
 */
async function checkJobVariables(
  ctx: OrchestratorContext,
  scope: Scope,
  action: Action,
): Promise<void> {
  if (action.type !== "run-deployment" || action.deployment_id == null) return;
  const variables: JsonObject = action.job_variables ?? {};
  if (Object.keys(variables).length === 0) return;
  const queries = ctx.db.in(scope.workspaceId);
  const deployment = await findDeploymentRow(queries, action.deployment_id);
  if (deployment === null) throw deploymentNotFound({ id: action.deployment_id });
  const template = await findJobTemplate(queries, { queueId: deployment.work_queue_id });
  if (template === null) return;
  await assertJobVariables(ctx, scope, {
    template,
    layers: [variables],
    requireAll: false,
    code: "invalid",
    doing: "creating automation",
  });
}
