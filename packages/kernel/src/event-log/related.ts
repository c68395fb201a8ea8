// The resources that an event concerns besides its own are the same for very many events: all runs
// of a deployment name its flow, its queue and its tags. Each set of them is kept once for every
// day it occurs on.

import { createHash } from "node:crypto";
import { wellFormed } from "@orchestrator/exact-json";
import { type ResourceLabels, resourceLabel } from "./resource-labels.ts";

/** The day that an event counts to. */
export const dayOf = (occurred: string): string => occurred.slice(0, 10);

/** A set, named by its content. */
export interface RelatedSet {
  readonly id: string;
  /** Its resources, each as the members of a JSON object. */
  readonly resources: readonly string[];
}

/** The sets read last: events come in rows that concern the same. */
const MAX_KNOWN = 2000;
/** Texts beyond this are rare, and so many of them would fill the memory. */
const MAX_KNOWN_LENGTH = 4096;
const known = new Map<string, RelatedSet | null>();

/** The set with a content that is given as JSON text; null for none. */
export function relatedSet(related: string): RelatedSet | null {
  if (related.length > MAX_KNOWN_LENGTH) return readSet(related);
  const found = known.get(related);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const set = readSet(related);
  known.set(related, set);
  return set;
}

const readSet = (related: string): RelatedSet | null =>
  related === "[]" ? null : { id: nameOf(related), resources: resourcesIn(related) };

function nameOf(related: string): string {
  const hex = createHash("sha256").update(related).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function resourcesIn(related: string): string[] {
  const resources = JSON.parse(related) as readonly ResourceLabels[];
  return resources.flatMap((labels, item) => {
    const resourceId = resourceLabel(labels, "resource.id");
    if (resourceId === undefined) return [];
    const role = quoted(resourceLabel(labels, "resource.role") ?? "");
    return [`"item":${item},"resource_id":${quoted(resourceId)},"role":${role}`];
  });
}

const quoted = (text: string): string => JSON.stringify(wellFormed(text));

/** The rows in which a set is kept for a day, as JSON objects with a comma between them. */
export function rowsOfSet(
  { id, resources }: RelatedSet,
  { day, written }: { readonly day: string; readonly written: string },
): string {
  return resources
    .map((members) => `{"set_id":"${id}","day":"${day}",${members},"written":"${written}"}`)
    .join(",");
}

/** The related resources in the JSON of an event, as JSON text. */
export function relatedIn(body: string): string {
  const { related } = JSON.parse(body) as { readonly related?: unknown };
  return Array.isArray(related) ? JSON.stringify(related) : "[]";
}
