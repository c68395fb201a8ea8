import type { NamedThing, NameSearch, NamesQuery, Static } from "@orchestrator/contract";
import { query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

/** What things are called, for pages that speak of several kinds of them. */
export const names = {
  /** By their ids; what is not there is left out. */
  read: query<(ids: Static<typeof NamesQuery>) => NamedThing[]>("/ui/names"),
  /** Of one kind, by letters of their names. */
  find: query<(search: OptionalDefaults<Static<typeof NameSearch>>) => NamedThing[]>(
    "/ui/names/filter",
  ),
};
