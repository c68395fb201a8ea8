export type { Static } from "typebox";
export { FilterModel } from "./filter-model.ts";
export { JsonObject, JsonValue } from "./json-value.ts";
export { Model, NamedParameters, TaggedUnion } from "./models.ts";
export { Identifier, LONG, Name, Slug } from "./names.ts";
export { Nullable } from "./nullable.ts";
export { Limit, Offset, Page } from "./paging.ts";
export { Flag, Int, Num, Seconds, StringEnum, Timestamp, Uuid } from "./scalars.ts";
