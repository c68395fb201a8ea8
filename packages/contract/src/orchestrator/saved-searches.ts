import { type Static, Type } from "typebox";
import {
  JsonValue,
  Limit,
  Model,
  NamedParameters,
  Offset,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

const Word = (description: string) => Type.String({ maxLength: 255, description });

const SavedSearchFilter = Model(
  {
    object: Word("What is searched, such as `flow_run`."),
    property: Word("Which of its properties."),
    type: Word("The property's type."),
    operation: Word("How the property is compared with the value, such as `equals`."),
    value: JsonValue(),
  },
  { $id: "SavedSearchFilter" },
);

const Name = Type.String({ minLength: 1, maxLength: 255, examples: ["Late last night"] });
const Filters = Type.Array(SavedSearchFilter, { maxItems: 100 });

export const SavedSearch = Model(
  { id: Uuid(), created: Timestamp(), updated: Timestamp(), name: Name, filters: Filters },
  { $id: "SavedSearch" },
);
export type SavedSearch = Static<typeof SavedSearch>;

export const SavedSearchCreate = Model(
  { name: Name, filters: Type.Optional(Filters) },
  { $id: "SavedSearchCreate" },
);
export type SavedSearchCreate = Static<typeof SavedSearchCreate>;

export const SavedSearchList = NamedParameters({ limit: Limit(), offset: Offset() });
