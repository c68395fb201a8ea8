import type {
  Static,
  Variable,
  VariableCount,
  VariableCreate,
  VariableList,
  VariableUpdate,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, get, patch, post, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof VariableList>>;

export const variables = {
  create: post<(variable: VariableCreate) => Variable>("/variables/"),
  read: get<(id: string) => Variable>("/variables/{id}"),
  readByName: get<(name: string) => Variable>("/variables/name/{name}"),
  update: patch<(id: string, changes: VariableUpdate) => void>("/variables/{id}"),
  /** It may be given another name, so it is not done twice. */
  updateByName: patch<(name: string, changes: VariableUpdate) => void>("/variables/name/{name}", {
    repeat: "unsent",
  }),
  delete: remove<(id: string) => void>("/variables/{id}"),
  deleteByName: remove<(name: string) => void>("/variables/name/{name}"),
  list: query<(filter?: List) => Variable[]>("/variables/filter"),
  each: each<(filter?: List) => Variable>("/variables/filter"),
  count: query<(filter?: Static<typeof VariableCount>) => number>("/variables/count"),
};
