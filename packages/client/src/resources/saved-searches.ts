import type {
  SavedSearch,
  SavedSearchCreate,
  SavedSearchList,
  Static,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, get, put, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof SavedSearchList>>;

export const savedSearches = {
  /** Keeps a search under a name, in the place of one that had it. */
  save: put<(search: SavedSearchCreate) => SavedSearch>("/saved_searches/"),
  read: get<(id: string) => SavedSearch>("/saved_searches/{id}"),
  delete: remove<(id: string) => void>("/saved_searches/{id}"),
  list: query<(page?: List) => SavedSearch[]>("/saved_searches/filter"),
  each: each<(page?: List) => SavedSearch>("/saved_searches/filter"),
};
