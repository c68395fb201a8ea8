import type {
  Static,
  TagLimit,
  TagLimitCreate,
  TagLimitList,
  TagLimitReset,
  TagSlots,
  TouchedLimit,
} from "@orchestrator/contract";
import { del, each, ensure, get, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof TagLimitList>>;

/** How many task runs with a tag may run at once. */
export const tagLimits = {
  /** Creates the limit of a tag, or changes it. */
  set: ensure<(limit: TagLimitCreate) => TagLimit>("/concurrency_limits/"),
  read: get<(id: string) => TagLimit>("/concurrency_limits/{id}"),
  readByTag: get<(tag: string) => TagLimit>("/concurrency_limits/tag/{tag}"),
  delete: del<(id: string) => void>("/concurrency_limits/{id}"),
  deleteByTag: del<(tag: string) => void>("/concurrency_limits/tag/{tag}"),
  list: query<(page?: List) => TagLimit[]>("/concurrency_limits/filter"),
  each: each<(page?: List) => TagLimit>("/concurrency_limits/filter"),
  reset: ensure<(tag: string, slots?: Static<typeof TagLimitReset>) => void>(
    "/concurrency_limits/tag/{tag}/reset",
  ),
  /** A task run has a slot once, however often it takes it. */
  increment: ensure<(slots: TagSlots) => TouchedLimit[]>("/concurrency_limits/increment"),
  decrement: ensure<(slots: TagSlots) => TouchedLimit[]>("/concurrency_limits/decrement"),
};
