import type {
  Deleted,
  Flow,
  FlowBulkDelete,
  FlowCount,
  FlowCreate,
  FlowList,
  FlowPages,
  FlowUpdate,
  Static,
} from "@orchestrator/contract";
import { del, each, ensure, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import type { PageOf } from "./page.ts";

type List = OptionalDefaults<Static<typeof FlowList>>;

export const flows = {
  /** Creates a flow, or finds the one that has the name. */
  create: ensure<(flow: FlowCreate) => Flow>("/flows/"),
  read: get<(id: string) => Flow>("/flows/{id}"),
  readByName: get<(name: string) => Flow>("/flows/name/{name}"),
  update: patch<(id: string, changes: FlowUpdate) => void>("/flows/{id}"),
  delete: del<(id: string) => void>("/flows/{id}"),
  /** Deletes the first of those that match. */
  deleteMany:
    post<(filter?: Static<typeof FlowBulkDelete>) => Static<typeof Deleted>>("/flows/bulk_delete"),
  list: query<(filter?: List) => Flow[]>("/flows/filter"),
  each: each<(filter?: List) => Flow>("/flows/filter"),
  paginate:
    query<(filter?: OptionalDefaults<Static<typeof FlowPages>>) => PageOf<Flow>>("/flows/paginate"),
  count: query<(filter?: Static<typeof FlowCount>) => number>("/flows/count"),
};
