import type {
  SavedSearch,
  SavedSearchCreate,
  SavedSearchList,
  Static,
} from "@orchestrator/contract";
import { del, each, get, put, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof SavedSearchList>>;

export const savedSearches = {
  /** Keeps a search under a name, in the place of one that had it. */
  save: put<(search: SavedSearchCreate) => SavedSearch>("/saved_searches/"),
  read: get<(id: string) => SavedSearch>("/saved_searches/{id}"),
  delete: del<(id: string) => void>("/saved_searches/{id}"),
  list: query<(page?: List) => SavedSearch[]>("/saved_searches/filter"),
  each: each<(page?: List) => SavedSearch>("/saved_searches/filter"),
};
