// Templates of actions, rendered before anything is written: a write must not wait for them.

import type { Action } from "@orchestrator/contract";
import {
  type ListDefinition,
  listJson,
  mapMembers,
  readJson,
  type Scope,
  writeJson,
} from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";
import { hydrateParameters } from "../../../parameters/hydrate.ts";
import type { JsonMap } from "../../../parameters/json-equality.ts";
import { readPlaceholder } from "../../../parameters/placeholders.ts";
import { sentences } from "../../../parameters/problems.ts";
import { variableValues } from "../../../parameters/variable-values.store.ts";
import {
  isTemplate,
  type RenderBudget,
  renderBudget,
  type TemplateContext,
  templates,
} from "../../../templates/render.ts";
import { Model } from "../../../templates/values/model.ts";
import { CONCURRENCY_LIMIT_LIST } from "../../concurrency-limits/concurrency-limits.filter.ts";
import type { Content } from "../../deliveries/content.ts";
import { DEPLOYMENT_LIST } from "../../deployments/deployments.filter.ts";
import { FLOW_RUN_LIST } from "../../flow-runs/flow-runs.filter.ts";
import { FLOW_LIST } from "../../flows/flows.filter.ts";
import { TASK_RUN_LIST } from "../../task-runs/task-runs.filter.ts";
import { WORK_POOL_LIST } from "../../work-pools/work-pools.filter.ts";
import { readQueueHealth } from "../../work-queues/occupancy.service.ts";
import { WORK_QUEUE_LIST } from "../../work-queues/work-queues.filter.ts";
import { AUTOMATION_LIST } from "../automations.filter.ts";
import { ActionFailed } from "./action-failed.ts";
import { readAskedVariables } from "./asked-variables.ts";
import type { StoredFiring } from "./firings.rules.ts";
import { fieldsOf, toldState } from "./run-view.rules.ts";
import { storedTemplates } from "./stored-templates.ts";
import { type Involved, involvedResource, type ResourceKind } from "./targets.rules.ts";
import { firingContext, type Link, linksTo } from "./template-context.rules.ts";

interface Loadable {
  readonly kind: ResourceKind;
  /** As it names itself where it is printed, and its status. */
  readonly type: string;
  readonly status: string | null;
  readonly list: ListDefinition;
  readonly path: (id: string) => string;
  /** What its list does not tell. */
  readonly more?: (ctx: OrchestratorContext, scope: Scope, id: string) => Promise<object>;
}

/** What is read only where a template names it, from the first resource of its kind that the event names. */
const LOADABLE: Readonly<Record<string, Loadable>> = {
  flow: {
    kind: "flow",
    type: "Flow",
    status: null,
    list: FLOW_LIST,
    path: (id) => `/flows/flow/${id}`,
  },
  flow_run: {
    kind: "flow-run",
    type: "FlowRunResponse",
    status: null,
    list: FLOW_RUN_LIST,
    path: (id) => `/runs/flow-run/${id}`,
  },
  task_run: {
    kind: "task-run",
    type: "TaskRun",
    status: null,
    list: TASK_RUN_LIST,
    path: (id) => `/runs/task-run/${id}`,
  },
  deployment: {
    kind: "deployment",
    type: "DeploymentResponse",
    status: "DeploymentStatus",
    list: DEPLOYMENT_LIST,
    path: (id) => `/deployments/deployment/${id}`,
  },
  work_pool: {
    kind: "work-pool",
    type: "WorkPool",
    status: "WorkPoolStatus",
    list: WORK_POOL_LIST,
    path: (id) => `/work-pools/work-pool/${id}`,
  },
  work_queue: {
    kind: "work-queue",
    type: "WorkQueueWithStatus",
    status: "WorkQueueStatus",
    list: WORK_QUEUE_LIST,
    path: (id) => `/work-queues/work-queue/${id}`,
    more: readQueueHealth,
  },
  concurrency_limit: {
    kind: "concurrency-limit",
    type: "ConcurrencyLimitV2",
    status: null,
    list: CONCURRENCY_LIMIT_LIST,
    path: (id) => `/concurrency-limits/concurrency-limit/${id}`,
  },
};

export interface Rendered {
  readonly ctx: OrchestratorContext;
  readonly scope: Scope;
  readonly firing: StoredFiring;
}

/** The parameters with every template in them rendered and every placeholder worked out. */
export async function renderParameters(
  { ctx, scope, firing }: Rendered,
  parameters: JsonMap,
): Promise<JsonMap> {
  const queries = ctx.db.in(scope.workspaceId);
  const asking = [parameters, await storedTemplates(queries, parameters)];
  const context = await contextFor({ ctx, scope, firing }, asking);
  const rendered = renderWithin(parameters, { context, budget: renderBudget() }) as JsonMap;
  const { value, problems } = await hydrateParameters(rendered, {
    variables: variableValues(queries),
    templateContext: context,
  });
  if (problems.length > 0) throw new ActionFailed(sentences(problems).join("; "));
  return value;
}

/** What an action sends, with every template in it rendered to text; null for actions that send nothing. */
export async function renderMessage(rendered: Rendered, action: Action): Promise<Content | null> {
  if (action.type !== "send-notification" && action.type !== "call-webhook") return null;
  const context = await contextFor(rendered, action);
  const rendering = { context, budget: renderBudget() };
  if (action.type === "send-notification") {
    const { type, subject, body } = action;
    return { type, subject: plain(subject ?? "", rendering), body: plain(body, rendering) };
  }
  const { type, payload = "" } = action;
  const filled = plainWithin(payload, rendering);
  return { type, payload: typeof filled === "string" ? filled : writeJson(filled) };
}

/** Each text within JSON is rendered by itself: whatever it says, the whole stays JSON. */
function plainWithin(value: unknown, rendering: Rendering): unknown {
  if (typeof value === "string") return plain(value, rendering);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainWithin(item, rendering));
  return mapMembers(value as JsonMap, (member) => plainWithin(member, rendering));
}

interface Rendering {
  readonly context: TemplateContext;
  readonly budget: RenderBudget;
}

function renderWithin(value: unknown, rendering: Rendering): unknown {
  if (typeof value === "string") return renderText(value, rendering);
  if (typeof value !== "object" || value === null || readPlaceholder(value) !== null) return value;
  if (Array.isArray(value)) return value.map((item) => renderWithin(item, rendering));
  return mapMembers(value as JsonMap, (member) => renderWithin(member, rendering));
}

/** A text that is one expression and nothing else keeps the type of its value. */
const ONE_EXPRESSION = /^\s*\{\{-?((?:(?!\{\{|\}\}|\{%|%\}).)*?)-?\}\}\s*$/s;

function renderText(text: string, { context, budget }: Rendering): unknown {
  if (!isTemplate(text)) return text;
  const expression = ONE_EXPRESSION.exec(text)?.[1];
  if (expression !== undefined) {
    const typed = templates.render(`{{ (${expression})|tojson }}`, context, budget);
    const value = typed.text === null ? undefined : parsed(typed.text);
    if (value !== undefined) return value;
  }
  return plain(text, { context, budget });
}

function plain(text: string, { context, budget }: Rendering): string {
  if (!isTemplate(text)) return text;
  const { text: result, problem } = templates.render(text, context, budget);
  if (problem === null) return result;
  throw new ActionFailed(`A template could not be rendered: ${problem.message}`, {
    template_error: problem.message,
    template_source: text,
  });
}

function parsed(json: string): unknown {
  try {
    return readJson(json) as unknown;
  } catch {
    return undefined;
  }
}

async function contextFor(
  { ctx, scope, firing }: Rendered,
  asking: unknown,
): Promise<TemplateContext> {
  const text = writeJson(asking);
  if (!isTemplate(text)) return {};
  const queries = ctx.db.in(scope.workspaceId);
  const link = linksTo(ctx.settings.uiUrl, await ctx.gate.placeOf(queries.workspaceId));
  const find = async (list: ListDefinition, id: string): Promise<JsonMap | undefined> => {
    const page = { filter: { id: { any_: [id] } }, limit: 1, offset: 0, now: ctx.clock.now() };
    return (readJson(await listJson(queries, list, page)) as JsonMap[])[0];
  };
  const asksForStored = ["automation", "firing", "firings"].some((name) => mentions(text, name));
  const stored = asksForStored ? await find(AUTOMATION_LIST, firing.automation.id) : undefined;
  const known = Object.entries(firingContext(firing, link, stored)).filter(([name]) =>
    mentions(text, name),
  );
  const context: Record<string, unknown> = Object.fromEntries(known);
  for (const [name, loadable] of Object.entries(LOADABLE)) {
    if (!mentions(text, name)) continue;
    // What is not there is none, and not unknown.
    context[name] = null;
    const involved = involvedResource(firing.event, loadable.kind);
    const id = involved?.id ?? "";
    const found = involved === null ? undefined : await find(loadable.list, id);
    if (involved === null || found === undefined) continue;
    const more = (await loadable.more?.(ctx, scope, id)) ?? {};
    context[name] = viewOf({ ...found, ...more }, { ...loadable, involved, link });
  }
  const variables = await readAskedVariables(queries, asking);
  return variables === null ? context : { ...context, variables };
}

interface Found extends Loadable {
  readonly involved: Involved;
  readonly link: Link;
}

function viewOf(found: JsonMap, { type, status, path, involved, link }: Found): Model {
  const told = "state" in found ? toldState(involved.labels) : null;
  const fields = told === null ? found : { ...found, state: told };
  const derived = { ui_url: link(path(involved.id)) };
  return new Model(type, { fields: fieldsOf(fields, status), derived });
}

const mentions = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
