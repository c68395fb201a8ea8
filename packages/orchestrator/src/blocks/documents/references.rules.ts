import type { JsonObject } from "@orchestrator/contract";
import { mapMembers } from "@orchestrator/exact-json";
import { normaliseUuid } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { isSecretObject } from "./secrets.rules.ts";

export interface SplitData {
  /** What belongs to the document itself. */
  readonly own: JsonObject;
  /** Key → the document that stands there. */
  readonly references: ReadonlyMap<string, string>;
}

/**
 * Tells the values that are other documents, `{"$ref": {"block_document_id": …}}`, from the rest.
 * Only the top is looked at.
 */
export function splitData(data: JsonObject): SplitData {
  const references = new Map<string, string>();
  const own = mapMembers(data, (value, key) => {
    const reference = isSecretObject(value) ? value["$ref"] : undefined;
    if (!isSecretObject(reference)) return value;
    references.set(key, documentId(reference, key));
    return undefined;
  });
  return { own, references };
}

function documentId(reference: JsonObject, key: string): string {
  const { block_document_id: given } = reference;
  const id = typeof given === "string" ? normaliseUuid(given) : undefined;
  if (id == null)
    throw new AppError(
      "bad_request",
      `The reference at ${JSON.stringify(key.slice(0, 100))} needs a block_document_id`,
    );
  return id;
}

export interface Reference {
  readonly parent_id: string;
  readonly name: string;
  readonly reference_id: string;
}

const MAX_DEPTH = 50;
/** A document is shown with all that it holds, each as often as it is held. */
const MAX_HELD = 200;
/** Of the document and all that it holds together, sealed. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Document → how many bytes it has itself. */
export type OwnBytes = ReadonlyMap<string, number>;

/** Why these references cannot be, or null: a document would hold itself, or too much. */
export function referenceProblem(
  references: readonly Reference[],
  ownBytes: OwnBytes,
): string | null {
  const graph = { children: byParent(references), ownBytes };
  const sizes = new Map<string, Size | null>();
  for (const id of graph.children.keys()) {
    const size = measure(id, graph, sizes);
    if (size === null) return "A block document cannot hold itself, not even by way of others";
    if (size.depth > MAX_DEPTH) return `Block documents can be nested at most ${MAX_DEPTH} deep`;
    if (size.held > MAX_HELD) return `A block document can hold at most ${MAX_HELD} others`;
    if (size.bytes > MAX_BYTES)
      return `A block document and those it holds can take at most ${MAX_BYTES} bytes together, sealed`;
  }
  return null;
}

/** How many bytes these documents are with all that they hold, each as often as it is shown. */
export function shownBytes(
  ids: Iterable<string>,
  {
    references,
    ownBytes,
  }: { readonly references: readonly Reference[]; readonly ownBytes: OwnBytes },
): number {
  const graph = { children: byParent(references), ownBytes };
  const sizes = new Map<string, Size | null>();
  let bytes = 0;
  for (const id of ids) bytes += measure(id, graph, sizes)?.bytes ?? 0;
  return bytes;
}

/** The references of each document. */
export function byParent(references: readonly Reference[]): Map<string, Reference[]> {
  const children = new Map<string, Reference[]>();
  for (const reference of references) {
    const siblings = children.get(reference.parent_id);
    if (siblings === undefined) children.set(reference.parent_id, [reference]);
    else siblings.push(reference);
  }
  return children;
}

interface Size {
  readonly depth: number;
  readonly held: number;
  readonly bytes: number;
}

interface Graph {
  readonly children: ReadonlyMap<string, readonly Reference[]>;
  readonly ownBytes: OwnBytes;
}

/** Null for a document that is met again below itself. */
function measure(id: string, graph: Graph, sizes: Map<string, Size | null>): Size | null {
  const known = sizes.get(id);
  if (known !== undefined) return known;
  sizes.set(id, null);
  let depth = 0;
  let held = 0;
  let bytes = graph.ownBytes.get(id) ?? 0;
  for (const { reference_id } of graph.children.get(id) ?? []) {
    const below = measure(reference_id, graph, sizes);
    if (below === null) return null;
    depth = Math.max(depth, below.depth + 1);
    held += below.held + 1;
    bytes += below.bytes;
  }
  const size = { depth, held, bytes };
  sizes.set(id, size);
  return size;
}
