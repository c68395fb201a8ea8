import type {
  Static,
  TagLimit,
  TagLimitCreate,
  TagLimitList,
  TagLimitReset,
  TagSlots,
  TouchedLimit,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, ensure, get, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof TagLimitList>>;

/** How many task runs with a tag may run at once. */
export const tagLimits = {
  /** Creates the limit of a tag, or changes it. */
  set: ensure<(limit: TagLimitCreate) => TagLimit>("/concurrency_limits/"),
  read: get<(id: string) => TagLimit>("/concurrency_limits/{id}"),
  readByTag: get<(tag: string) => TagLimit>("/concurrency_limits/tag/{tag}"),
  delete: remove<(id: string) => void>("/concurrency_limits/{id}"),
  deleteByTag: remove<(tag: string) => void>("/concurrency_limits/tag/{tag}"),
  list: query<(page?: List) => TagLimit[]>("/concurrency_limits/filter"),
  each: each<(page?: List) => TagLimit>("/concurrency_limits/filter"),
  reset: ensure<(tag: string, slots?: Static<typeof TagLimitReset>) => void>(
    "/concurrency_limits/tag/{tag}/reset",
  ),
  /** A task run has a slot once, however often it takes it. */
  increment: ensure<(slots: TagSlots) => TouchedLimit[]>("/concurrency_limits/increment"),
  decrement: ensure<(slots: TagSlots) => TouchedLimit[]>("/concurrency_limits/decrement"),
};
