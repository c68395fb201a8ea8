// What the templates of an action see, made of plain data: a thread can be sent nothing else.

import type { JsonMap } from "@orchestrator/exact-json";
import { ModelValue, type TemplateContext } from "@orchestrator/jinja";
import type { StoredFiring } from "../../firings/firings.rules.ts";
import { stateInEvent, viewFieldsOf } from "./run-view.rules.ts";
import type { Involved } from "./targets.rules.ts";
import { firingContext, linksTo, type UiLink } from "./template-context.rules.ts";

/** How a resource names itself where it is printed, and its status. */
export interface ResourceType {
  readonly type: string;
  readonly status: string | null;
  /** The path of its page, without the id. */
  readonly page: string;
}

export interface LoadedResource extends ResourceType {
  readonly name: string;
  /** Null where there is none. */
  readonly found: { readonly fields: JsonMap; readonly involved: Involved } | null;
}

/** JSON */
export interface ActionContext {
  readonly firing: StoredFiring;
  /** What is stored of the automation now. */
  readonly stored: JsonMap;
  readonly uiUrl: string | null;
  readonly place: string;
  /** Which parts of the firing any template names. */
  readonly names: readonly string[];
  readonly resources: readonly LoadedResource[];
  readonly variables: JsonMap | null;
}

export function templateContextOf(context: ActionContext): TemplateContext {
  const { firing, stored, uiUrl, place, names, resources, variables } = context;
  const link = linksTo(uiUrl, place);
  const shown: Record<string, unknown> = {};
  if (names.length > 0) {
    const parts = firingContext(firing, link, stored);
    for (const name of names) shown[name] = parts[name];
  }
  for (const resource of resources) shown[resource.name] = viewOf(resource, link);
  return variables === null ? shown : { ...shown, variables };
}

function viewOf({ type, status, page, found }: LoadedResource, link: UiLink): ModelValue | null {
  // What is not there is none, and not unknown.
  if (found === null) return null;
  const { fields, involved } = found;
  const told = "state" in fields ? stateInEvent(involved.labels) : null;
  const shown = told === null ? fields : { ...fields, state: told };
  const derived = { ui_url: link(`${page}${involved.id}`) };
  return new ModelValue(type, { fields: viewFieldsOf(shown, status), derived });
}
