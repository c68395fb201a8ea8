// Actions and triggers may refer to resources by name. Ids take the place of the names before the
// body is checked and stored.

import { isMap, type JsonMap } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { TARGETS } from "./actions/receive-action.rules.ts";
import { findIdsByName, type NamedKind } from "./names.store.ts";

type Kind = NamedKind | "monitor";
type Place = readonly (string | number)[];

/** The field with the id, and the field with the name that may stand in its place. */
const NAMES = {
  deployment_id: "deployment",
  work_pool_id: "work_pool",
  automation_id: "automation",
  monitor_id: "monitor",
  block_document_id: "block",
} as const satisfies Readonly<Record<string, Kind>>;

const FIELDS: Readonly<Record<string, string>> = {
  ...TARGETS,
  "send-notification": "block_document_id",
  "call-webhook": "block_document_id",
};

/** In the id of a resource that a trigger matches: `@deployment:report/nightly`. */
const REFERENCE = /^(!?)@(deployment|work_pool|automation|monitor):(.+)$/;
const RESOURCES = {
  deployment: "prefect.deployment",
  work_pool: "prefect.work-pool",
  automation: "prefect.automation",
  monitor: "orchestrator.monitor",
} as const;
const RESOURCE_ID = /^(?:prefect|orchestrator)\.resource\.id$/;
const DEEPEST = 10;
/** A body beyond this is refused by its schema afterwards. */
const MOST_NAMES = 500;

export async function receiveNames(
  ctx: OrchestratorContext,
  scope: Scope,
  body: unknown,
): Promise<void> {
  if (!isMap(body)) return;
  const resolver = new NameResolver(ctx, scope);
  for (const key of ["actions", "actions_on_trigger", "actions_on_resolve"]) {
    const actions = body[key];
    if (!Array.isArray(actions)) continue;
    for (const [index, action] of actions.entries())
      if (isMap(action)) await receiveAction(resolver, action, ["body", key, index]);
  }
  await receiveTrigger(resolver, body["trigger"], ["body", "trigger"]);
}

async function receiveAction(resolver: NameResolver, action: JsonMap, loc: Place): Promise<void> {
  const { type } = action;
  const field = typeof type === "string" && Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  const kind = NAMES[field as keyof typeof NAMES] as Kind | undefined;
  if (field === undefined || kind === undefined) return;
  const name = action[kind];
  if (typeof name !== "string") return;
  if (action[field] != null)
    throw unfit([...loc, kind], `${kind} and ${field} cannot both be given`);
  Object.assign(action, { [field]: await resolver.idOf(kind, name, [...loc, kind]) });
  Reflect.deleteProperty(action, kind);
}

async function receiveTrigger(resolver: NameResolver, trigger: unknown, loc: Place): Promise<void> {
  if (!isMap(trigger) || loc.length > DEEPEST) return;
  for (const key of ["match", "match_related"])
    for (const labels of [trigger[key]].flat())
      if (isMap(labels)) await receiveLabels(resolver, labels, [...loc, key]);
  const { triggers } = trigger;
  if (!Array.isArray(triggers)) return;
  for (const [index, child] of triggers.entries())
    await receiveTrigger(resolver, child, [...loc, "triggers", index]);
}

async function receiveLabels(resolver: NameResolver, labels: JsonMap, loc: Place): Promise<void> {
  for (const [label, value] of Object.entries(labels)) {
    if (!RESOURCE_ID.test(label)) continue;
    const replace = (one: unknown) => resolver.resourceOf(one, [...loc, label]);
    const found = Array.isArray(value)
      ? await Promise.all(value.map(replace))
      : await replace(value);
    Object.assign(labels, { [label]: found });
  }
}

class NameResolver {
  readonly #ctx: OrchestratorContext;
  readonly #scope: Scope;
  #asked = 0;

  constructor(ctx: OrchestratorContext, scope: Scope) {
    this.#ctx = ctx;
    this.#scope = scope;
  }

  async resourceOf(value: unknown, loc: Place): Promise<unknown> {
    const [, not = "", kind, name] = typeof value === "string" ? (REFERENCE.exec(value) ?? []) : [];
    if (kind === undefined || name === undefined) return value;
    const known = kind as keyof typeof RESOURCES;
    return `${not}${RESOURCES[known]}.${await this.idOf(known, name, loc)}`;
  }

  async idOf(kind: Kind, name: string, loc: Place): Promise<string> {
    this.#asked += 1;
    if (this.#asked > MOST_NAMES) throw unfit(loc, `more than ${MOST_NAMES} names`);
    const [id, another] = await this.#find(kind, name);
    const what = kind.replace("_", " ");
    if (id === undefined) throw unfit(loc, `there is no ${what} named ${name}`);
    if (another === undefined) return id;
    const hint = { deployment: "<flow>/<name>", block: "<type>/<name>" } as const;
    const better = hint[kind as keyof typeof hint] ?? "the id";
    throw unfit(loc, `several have the ${what} name ${name}: give ${better}`);
  }

  #find(kind: Kind, name: string): Promise<string[]> {
    const queries = this.#ctx.db.in(this.#scope.workspaceId);
    if (kind !== "monitor") return findIdsByName(queries, kind, name);
    const { monitors } = this.#ctx;
    return monitors === null
      ? Promise.resolve([])
      : monitors.findByName(this.#ctx, this.#scope, name);
  }
}

function unfit(loc: Place, problem: string): InvalidRequestError {
  return new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}
