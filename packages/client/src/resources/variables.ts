import type {
  Static,
  Variable,
  VariableCount,
  VariableCreate,
  VariableList,
  VariableUpdate,
} from "@orchestrator/contract";
import { del, each, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof VariableList>>;

export const variables = {
  create: post<(variable: VariableCreate) => Variable>("/variables/"),
  read: get<(id: string) => Variable>("/variables/{id}"),
  readByName: get<(name: string) => Variable>("/variables/name/{name}"),
  update: patch<(id: string, changes: VariableUpdate) => void>("/variables/{id}"),
  /** It may be given another name, so it is not done twice. */
  updateByName: patch<(name: string, changes: VariableUpdate) => void>("/variables/name/{name}", {
    repeat: "unsent",
  }),
  delete: del<(id: string) => void>("/variables/{id}"),
  deleteByName: del<(name: string) => void>("/variables/name/{name}"),
  list: query<(filter?: List) => Variable[]>("/variables/filter"),
  each: each<(filter?: List) => Variable>("/variables/filter"),
  count: query<(filter?: Static<typeof VariableCount>) => number>("/variables/count"),
};
