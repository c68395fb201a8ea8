import type { NamedKind, NameSearch, Static } from "@orchestrator/contract";
import type { ComputedField, ListDefinition, Selection } from "@orchestrator/kernel";
import { selectDocuments } from "../block-documents/block-documents.filter.ts";

type Filter = Readonly<Record<string, unknown>>;

const FLOW = "select own.name from flows own where own.id = $.flow_id";
const POOL = "select own.name from work_pools own where own.id = $.work_pool_id";
const belongsTo = (expression: string): ComputedField => ({
  kind: "text",
  expression: () => expression,
});

/** Ids and names of one kind of things, and the text that is searched. */
const namesOf = (
  table: NamedKind,
  owner: string | null,
  label = owner === null ? "$.name" : `(${owner}) || '/' || $.name`,
): ListDefinition<"NAME_ASC"> => ({
  table,
  fields: { id: "id", name: "text", belongs_to: belongsTo(owner ?? "null") },
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    label: { expression: label, kind: "text", operators: ["like_"] },
  },
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
});

const BLOCK_NAMES = namesOf(
  "block_documents",
  "$.block_type_name",
  "$.name || ' (' || $.block_type_name || ')'",
);

export const NAME_LISTS: Readonly<Record<NamedKind, ListDefinition>> = {
  flows: namesOf("flows", null),
  deployments: namesOf("deployments", FLOW),
  work_pools: namesOf("work_pools", null),
  work_queues: namesOf("work_queues", POOL),
  automations: namesOf("automations", null),
  // Its filter is that of the list of blocks, which leaves out those that have no name of their own.
  block_documents: {
    ...BLOCK_NAMES,
    filter: {
      asked: { group: BLOCK_NAMES.filter },
      shown: {
        group: { is_anonymous: { column: "is_anonymous", kind: "flag", operators: ["eq_"] } },
      },
    },
  },
};

export function selectByIds(kind: NamedKind, ids: readonly string[]): Selection {
  return select(kind, { id: { any_: ids } });
}

type Search = Pick<Static<typeof NameSearch>, "kind" | "text" | "block_capability" | "block_type">;

export function selectByText(search: Search): Selection {
  const { kind, text, block_capability, block_type } = search;
  const filter: Filter = text ? { label: { like_: text } } : {};
  return select(kind, filter, {
    ...(block_capability && {
      block_schemas: { block_capabilities: { all_: [block_capability] } },
    }),
    ...(block_type && { block_types: { slug: { any_: [block_type] } } }),
  });
}

function select(kind: NamedKind, filter: Filter, related: Filter = {}): Selection {
  if (kind !== "block_documents") return { filter };
  const blocks = selectDocuments(related);
  return { ...blocks, filter: { ...blocks.filter, asked: filter } };
}
