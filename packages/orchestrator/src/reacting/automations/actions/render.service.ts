// Templates of actions, rendered before anything is written: a write must not wait for them.

import type { Action } from "@orchestrator/contract";
import { type JsonMap, readJson, writeJson } from "@orchestrator/exact-json";
import { isTemplate } from "@orchestrator/jinja";
import { sentences } from "@orchestrator/json-schema/problems";
import { type ListDefinition, listJson } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../../context.ts";
import { CONCURRENCY_LIMIT_LIST } from "../../../limits/concurrency-limits.filter.ts";
import { DEPLOYMENT_LIST } from "../../../lists/deployments.filter.ts";
import { FLOW_RUN_LIST } from "../../../lists/flow-runs.filter.ts";
import { FLOW_LIST } from "../../../lists/flows.filter.ts";
import { TASK_RUN_LIST } from "../../../lists/task-runs.filter.ts";
import { hydrateParameters } from "../../../parameters/hydrate.ts";
import { readQueueHealth } from "../../../work/pools/occupancy.service.ts";
import { WORK_POOL_LIST } from "../../../work/pools/work-pools.filter.ts";
import { WORK_QUEUE_LIST } from "../../../work/queues/work-queues.filter.ts";
import { variableValues } from "../../../workspace/variables/variable-values.store.ts";
import type { Content } from "../../deliveries/content.ts";
import { ActionFailed } from "../../firings/action-failed.ts";
import type { StoredFiring } from "../../firings/firings.rules.ts";
import { AUTOMATION_LIST } from "../automations.filter.ts";
import type { ActionContext, LoadedResource, ResourceType } from "./action-context.rules.ts";
import { type ActionTemplates, computeAction } from "./compute-action.ts";
import { readReferencedVariables } from "./referenced-variables.ts";
import { storedTemplates } from "./stored-templates.ts";
import { involvedResource, type ResourceKind } from "./targets.rules.ts";

interface Loadable extends ResourceType {
  readonly kind: ResourceKind;
  readonly list: ListDefinition;
  /** What its list does not tell. */
  readonly more?: (ctx: OrchestratorContext, scope: Scope, id: string) => Promise<object>;
}

/**
 * What is read only where a template names it, from the first resource of its kind that the event
 * names.
 */
const LOADABLE: Readonly<Record<string, Loadable>> = {
  flow: {
    kind: "flow",
    type: "Flow",
    status: null,
    list: FLOW_LIST,
    page: "/flows/flow/",
  },
  flow_run: {
    kind: "flow-run",
    type: "FlowRunResponse",
    status: null,
    list: FLOW_RUN_LIST,
    page: "/runs/flow-run/",
  },
  task_run: {
    kind: "task-run",
    type: "TaskRun",
    status: null,
    list: TASK_RUN_LIST,
    page: "/runs/task-run/",
  },
  deployment: {
    kind: "deployment",
    type: "DeploymentResponse",
    status: "DeploymentStatus",
    list: DEPLOYMENT_LIST,
    page: "/deployments/deployment/",
  },
  work_pool: {
    kind: "work-pool",
    type: "WorkPool",
    status: "WorkPoolStatus",
    list: WORK_POOL_LIST,
    page: "/work-pools/work-pool/",
  },
  work_queue: {
    kind: "work-queue",
    type: "WorkQueueWithStatus",
    status: "WorkQueueStatus",
    list: WORK_QUEUE_LIST,
    page: "/work-queues/work-queue/",
    more: readQueueHealth,
  },
  concurrency_limit: {
    kind: "concurrency-limit",
    type: "ConcurrencyLimitV2",
    status: null,
    list: CONCURRENCY_LIMIT_LIST,
    page: "/concurrency-limits/concurrency-limit/",
  },
};

export interface ActionRendering {
  readonly ctx: OrchestratorContext;
  readonly scope: Scope;
  readonly firing: StoredFiring;
}

/** The parameters with every template in them rendered and every placeholder worked out. */
export async function renderParameters(
  { ctx, scope, firing }: ActionRendering,
  parameters: JsonMap,
): Promise<JsonMap> {
  const queries = ctx.db.in(scope.workspaceId);
  const compute = ctx.compute.for(scope);
  const asking = [parameters, await storedTemplates(compute, queries, parameters)];
  const templates = await templatesFor({ ctx, scope, firing }, asking);
  const isTyped = true;
  const rendered =
    templates === null
      ? parameters
      : ((await templates.render(parameters, { isTyped })) as JsonMap);
  const { value, problems } = await hydrateParameters(rendered, {
    compute,
    variables: variableValues(queries),
    ...(templates === null ? {} : { context: templates.context }),
  });
  if (problems.length > 0) throw new ActionFailed(sentences(problems).join("; "));
  return value;
}

/**
 * What an action sends, with every template in it rendered to text; null for actions that send
 * nothing.
 */
export async function renderMessage(
  rendered: ActionRendering,
  action: Action,
): Promise<Content | null> {
  if (action.type !== "send-notification" && action.type !== "call-webhook") return null;
  const templates = await templatesFor(rendered, action);
  const filled = async <T>(value: T): Promise<T> =>
    templates === null ? value : ((await templates.render(value, { isTyped: false })) as T);
  if (action.type === "send-notification") {
    const { type, subject, body } = action;
    return { type, ...(await filled({ subject: subject ?? "", body })) };
  }
  const { type, payload = "" } = action;
  const sent: unknown = await filled(payload);
  return { type, payload: typeof sent === "string" ? sent : writeJson(sent) };
}

/** Null where there is no template. */
async function templatesFor(
  rendered: ActionRendering,
  asking: unknown,
): Promise<ActionTemplates | null> {
  const text = writeJson(asking);
  if (!isTemplate(text)) return null;
  const context = await contextFor(rendered, { asking, text });
  return computeAction(rendered.ctx.compute.for(rendered.scope), context);
}

const FIRING_PARTS = ["automation", "event", "labels", "firing", "firings", "events"];

async function contextFor(
  { ctx, scope, firing }: ActionRendering,
  { asking, text }: { readonly asking: unknown; readonly text: string },
): Promise<ActionContext> {
  const queries = ctx.db.in(scope.workspaceId);
  const find = async (list: ListDefinition, id: string): Promise<JsonMap | undefined> => {
    const page = { filter: { id: { any_: [id] } }, limit: 1, offset: 0, now: ctx.clock.now() };
    return (readJson(await listJson(queries, list, page)) as JsonMap[])[0];
  };
  const load = async (name: string, loadable: Loadable): Promise<LoadedResource> => {
    const { kind, list, more, type, status, page } = loadable;
    const involved = involvedResource(firing.event, kind);
    const fields = involved === null ? undefined : await find(list, involved.id);
    if (involved === null || fields === undefined) return { name, type, status, page, found: null };
    const all = { ...fields, ...(await more?.(ctx, scope, involved.id)) };
    return { name, type, status, page, found: { fields: all, involved } };
  };
  const asksForStored = ["automation", "firing", "firings"].some((name) => mentions(text, name));
  const stored = asksForStored ? await find(AUTOMATION_LIST, firing.automation.id) : undefined;
  const resources: LoadedResource[] = [];
  for (const [name, loadable] of Object.entries(LOADABLE))
    if (mentions(text, name)) resources.push(await load(name, loadable));
  return {
    firing,
    stored: stored ?? {},
    uiUrl: ctx.settings.uiUrl,
    place: await ctx.gate.placeOf(queries.workspaceId),
    names: FIRING_PARTS.filter((name) => mentions(text, name)),
    resources,
    variables: await readReferencedVariables(ctx.compute.for(scope), queries, asking),
  };
}

const mentions = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
