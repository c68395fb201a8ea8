// What things are called: for pages that speak of several kinds of them at once, and for choosing
// one among many.

import { type Static, Type } from "typebox";
import { Limit, Model, NamedParameters, Nullable, StringEnum, Uuid } from "../schema/index.ts";

const MAX_IDS = 200;
const MAX_FOUND = 200;
const MAX_TEXT = 255;

const ids = () => Type.Optional(Type.Array(Uuid(), { maxItems: MAX_IDS }));

export const NamesQuery = NamedParameters({
  flows: ids(),
  deployments: ids(),
  work_pools: ids(),
  work_queues: ids(),
  automations: ids(),
  block_documents: ids(),
  task_runs: ids(),
});

export type NamedKind = keyof Static<typeof NamesQuery>;
/** Those that one chooses among by name. */
const KINDS = [
  "flows",
  "deployments",
  "work_pools",
  "work_queues",
  "automations",
  "block_documents",
] as const satisfies NamedKind[];
export type SearchedKind = (typeof KINDS)[number];

export const NameSearch = NamedParameters({
  kind: StringEnum(KINDS),
  text: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT,
      description:
        "Letters of the name with what it belongs to: `flow/deployment`, `pool/queue`, `block (type)`",
    }),
  ),
  block_capability: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: "Of blocks, those that can do this" }),
  ),
  block_type: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT,
      description: "Of blocks, those of the type with this slug",
    }),
  ),
  limit: Limit(MAX_FOUND),
});

export const NamedThing = Model(
  {
    id: Uuid(),
    name: Type.String(),
    belongs_to: Nullable(
      Type.String({
        description:
          "What the flow of a deployment, the pool of a queue, the type of a block, the flow run of a task run is called; null for others",
      }),
    ),
    belongs_to_id: Nullable(Uuid({ description: "The id of what it belongs to" })),
  },
  { $id: "NamedThing" },
);
export type NamedThing = Static<typeof NamedThing>;
