import type { NamedKind, NameSearch, Static } from "@orchestrator/contract";
import type { ListDefinition, Selection } from "@orchestrator/kernel/lists";
import type { ComputedField } from "@orchestrator/kernel/storage";
import { selectDocuments } from "../../blocks/filters/block-documents.filter.ts";

type Filter = Readonly<Record<string, unknown>>;

interface Owner {
  readonly id: string;
  readonly name: string;
}

const ownerIn = (table: string, id: string): Owner => ({
  id,
  name: `select own.name from ${table} own where own.id = ${id}`,
});
const NOBODY: Owner = { id: "null", name: "null" };

const computed = (kind: "id" | "text", expression: string): ComputedField => ({
  kind,
  expression: ({ text }) => text(expression),
});

/** Ids and names of one kind of things, and the text that is searched. */
const namesOf = (
  table: NamedKind,
  owner = NOBODY,
  label = owner === NOBODY ? "$.name" : `(${owner.name}) || '/' || $.name`,
): ListDefinition<"NAME_ASC"> => ({
  table,
  fields: {
    id: "id",
    name: "text",
    belongs_to: computed("text", owner.name),
    belongs_to_id: computed("id", owner.id),
  },
  filter: {
    id: { column: "id", kind: "id", isNarrow: true, operators: ["any_"] },
    label: { expression: label, kind: "text", operators: ["like_"] },
  },
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
});

const BLOCK_NAMES = namesOf(
  "block_documents",
  { id: "$.block_type_id", name: "$.block_type_name" },
  "$.name || ' (' || $.block_type_name || ')'",
);

export const NAME_LISTS: Readonly<Record<NamedKind, ListDefinition>> = {
  flows: namesOf("flows"),
  deployments: namesOf("deployments", ownerIn("flows", "$.flow_id")),
  work_pools: namesOf("work_pools"),
  work_queues: namesOf("work_queues", ownerIn("work_pools", "$.work_pool_id")),
  automations: namesOf("automations"),
  task_runs: { ...namesOf("task_runs", ownerIn("flow_runs", "$.flow_run_id")), isVast: true },
  // Its filter is that of the list of blocks, which leaves out those that have no name of their
  // own.
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
