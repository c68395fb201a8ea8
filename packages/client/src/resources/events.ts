import type {
  EventCount,
  EventCountRequest,
  EventFilterRequest,
  EventPage,
  Static,
} from "@orchestrator/contract";
import { extension, getWith, keyed, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { eachEventOf } from "./each-event.ts";
import { followEvents } from "./follow-events.ts";
import { type NewEvent, withEventId } from "./keys.ts";
import { publishEvents } from "./publish-events.ts";

const everyId = (events: readonly NewEvent[]) => events.map(withEventId);

export type EventList = OptionalDefaults<Static<typeof EventFilterRequest>>;

export const events = {
  /** Stores events, all or none; those without id and time get them. */
  create: post<(events: readonly NewEvent[]) => void>(
    "/events",
    keyed<readonly NewEvent[]>(everyId),
  ),
  list: query<(filter?: EventList) => Static<typeof EventPage>>("/events/filter"),
  /** The page after one, by the `page-token` in its `next_page`. */
  listNext:
    getWith<(query: { readonly "page-token": string }) => Static<typeof EventPage>>(
      "/events/filter/next",
    ),
  each: extension(eachEventOf),
  follow: followEvents,
  publisher: publishEvents,
  countBy: query<
    (countable: "day" | "time" | "event" | "resource", request: EventCountRequest) => EventCount[]
  >("/events/count-by/{countable}"),
};
