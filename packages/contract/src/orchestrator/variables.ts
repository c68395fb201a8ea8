import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  JsonValue,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Tags } from "./common.ts";

const VALUE_MAX_CHARACTERS = 5000;

const VariableName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: "^[a-z0-9_-]*$",
  description: "Lower-case letters, digits, dashes and underscores.",
  examples: ["region"],
});

const VariableValue = JsonValue({
  maxJsonLength: VALUE_MAX_CHARACTERS,
  description: `Any JSON value of at most ${VALUE_MAX_CHARACTERS} characters.`,
});

export const Variable = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    name: VariableName,
    value: VariableValue,
    tags: Tags,
  },
  { $id: "Variable" },
);
export type Variable = Static<typeof Variable>;

export const VariableCreate = Model(
  { name: VariableName, value: VariableValue, tags: Type.Optional(Tags) },
  { $id: "VariableCreate" },
);
export type VariableCreate = Static<typeof VariableCreate>;

/** Only the keys that are present change anything. */
export const VariableUpdate = Model(
  {
    name: Type.Optional(Nullable(VariableName)),
    value: Type.Optional(VariableValue),
    tags: Type.Optional(Nullable(Tags)),
  },
  { $id: "VariableUpdate" },
);
export type VariableUpdate = Static<typeof VariableUpdate>;

export const VariableId = Type.Object({ id: Uuid() });
export const VariableNameKey = Type.Object({ name: Type.String() });

export const VariableFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
    tags: { all_: Type.Array(Type.String()), any_: Type.Array(Type.String()), is_null_: Flag() },
  },
  { $id: "VariableFilter" },
);

export const VARIABLE_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type VariableSort = (typeof VARIABLE_SORTS)[number];

export const VariableCount = NamedParameters(
  { variables: Type.Optional(VariableFilter) },
  { ownFilter: "variables" },
);

export const VariableList = NamedParameters(
  {
    variables: Type.Optional(VariableFilter),
    sort: Type.Optional(StringEnum(VARIABLE_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "variables" },
);
