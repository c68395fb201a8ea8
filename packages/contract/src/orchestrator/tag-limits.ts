import { type Static, Type } from "typebox";
import { Int, Limit, LONG, Model, NamedParameters, Offset, Uuid } from "../schema/index.ts";
import { recordFields } from "./common.ts";

const MAX_SLOTS = 1_000_000_000_000;
const MAX_TAGS = 100;
const MAX_OVERRIDE = 1000;

/** How many task runs with a tag may be under way. */
export const TagLimit = Model(
  {
    ...recordFields,
    tag: Type.String(),
    concurrency_limit: Type.Integer(),
    active_slots: Type.Array(Uuid(), { description: "The task runs that have a slot now" }),
  },
  { $id: "ConcurrencyLimit" },
);
export type TagLimit = Static<typeof TagLimit>;

export const TagLimitCreate = Model(
  {
    tag: Type.String({ minLength: 1, ...LONG }),
    concurrency_limit: Int({ minimum: 0, maximum: MAX_SLOTS }),
  },
  { $id: "ConcurrencyLimitCreate" },
);
export type TagLimitCreate = Static<typeof TagLimitCreate>;

export const TagLimitTag = Type.Object({ tag: Type.String() });

export const TagLimitList = NamedParameters({ limit: Limit(), offset: Offset() });

export const TagLimitReset = NamedParameters({
  slot_override: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: MAX_OVERRIDE,
      description: "The task runs that have a slot afterwards; none when left out",
    }),
  ),
});

/** Slots of some tags for a task run, or back from it. */
export const TagSlots = NamedParameters({
  names: Type.Array(Type.String(LONG), {
    maxItems: MAX_TAGS,
    description: "The tags; those without a limit are passed over",
  }),
  task_run_id: Uuid(),
});
export type TagSlots = Static<typeof TagSlots>;
