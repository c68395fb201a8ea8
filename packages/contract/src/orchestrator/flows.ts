import { type Static, Type } from "typebox";
import { FilterModel, Flag, LONG, Model, Name, Nullable, Uuid } from "../schema/index.ts";
import { Labels, recordFields, Tags } from "./common.ts";

export const Flow = Model(
  { ...recordFields, name: Name(LONG), tags: Tags, labels: Labels },
  { $id: "Flow" },
);
export type Flow = Static<typeof Flow>;

export const FlowCreate = Model(
  {
    name: Name(LONG),
    tags: Type.Optional(Nullable(Tags)),
    labels: Type.Optional(Nullable(Labels)),
  },
  { $id: "FlowCreate" },
);
export type FlowCreate = Static<typeof FlowCreate>;

export const FlowUpdate = Model({ tags: Type.Optional(Nullable(Tags)) }, { $id: "FlowUpdate" });
export type FlowUpdate = Static<typeof FlowUpdate>;

export const FlowNameKey = Type.Object({ name: Type.String() });

export const FlowFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()), not_any_: Type.Array(Uuid()) },
    deployment: { is_null_: Flag() },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
    tags: { all_: Type.Array(Type.String()), is_null_: Flag() },
  },
  { $id: "FlowFilter" },
);

export const FLOW_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type FlowSort = (typeof FLOW_SORTS)[number];
