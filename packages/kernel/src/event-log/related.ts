// The resources that an event concerns besides its own are the same for very many events: all runs of a deployment
// name its flow, its queue and its tags. Each set of them is kept once for every day it occurs on.

import { createHash } from "node:crypto";
import { labelOf, type ResourceLabels } from "./resource-labels.ts";

/** The day that an event counts to. */
export const dayOf = (occurred: string): string => occurred.slice(0, 10);

/** The sets named last: events come in rows that concern the same. */
const MAX_NAMED = 2000;
const named = new Map<string, string>();

/** Names a set by its content, given as JSON text; null for none. */
export function relatedSetId(related: string): string | null {
  if (related === "[]") return null;
  const known = named.get(related);
  if (known !== undefined) return known;
  if (named.size >= MAX_NAMED) named.clear();
  const id = nameOf(related);
  named.set(related, id);
  return id;
}

function nameOf(related: string): string {
  const hex = createHash("sha256").update(related).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A resource of a set, as it is kept. */
export interface RelatedRow {
  readonly set_id: string;
  readonly day: string;
  readonly item: number;
  readonly resource_id: string;
  readonly role: string;
  readonly written: string;
}

/** The rows of a set, whose content is given as JSON text. */
export function relatedRows(
  related: string,
  set: Pick<RelatedRow, "set_id" | "day" | "written">,
): RelatedRow[] {
  const resources = JSON.parse(related) as readonly ResourceLabels[];
  return resources.flatMap((labels, item) => {
    const resource_id = labelOf(labels, "resource.id");
    const role = labelOf(labels, "resource.role") ?? "";
    return resource_id === undefined ? [] : [{ ...set, item, resource_id, role }];
  });
}

/** The related resources in the JSON of an event, as JSON text. */
export function relatedIn(body: string): string {
  const { related } = JSON.parse(body) as { readonly related?: unknown };
  return Array.isArray(related) ? JSON.stringify(related) : "[]";
}
