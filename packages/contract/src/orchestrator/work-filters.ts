import { Type } from "typebox";
import { FilterModel, Uuid } from "../schema/index.ts";

// Filters on where runs are worked on, as they stand beside the filters of other resources.

const ids = () => Type.Array(Uuid());
const texts = () => Type.Array(Type.String());

export const WorkPoolFilter = FilterModel(
  { id: { any_: ids() }, name: { any_: texts() }, type: { any_: texts() } },
  { $id: "WorkPoolFilter" },
);

export const WorkQueueFilter = FilterModel(
  { id: { any_: ids() }, name: { any_: texts(), startswith_: texts() } },
  { $id: "WorkQueueFilter" },
);
