import type { EventFilter, ReceivedEvent, Static } from "@orchestrator/contract";
import { type ReconnectOptions, reconnecting } from "../sockets/reconnecting.ts";
import { createSeenIds } from "../sockets/seen-ids.ts";
import { extension } from "../transport/operation.ts";
import { eachEventOf } from "./each-event.ts";

type Event = Static<typeof ReceivedEvent>;

export interface FollowEventsOptions extends ReconnectOptions {
  /**
   * Whether those of the last minutes come first, or those since `filter.occurred.since`. @default
   * false
   */
  readonly backfill?: boolean | undefined;
  /**
   * Called after a gap that is longer than the server's sockets look back, instead of asking for
   * all that happened in it: for those who can read anew what they have to know. Not called when a
   * broken connection is back and nothing has happened. Then come the events of the last minutes,
   * and those that follow.
   */
  readonly onGap?: (() => void) | undefined;
}

/** The server looks back no further than 15 minutes; what is older is asked for page by page. */
const SOCKET_BACKFILL_MS = 10 * 60_000;
/** Events do not arrive in the order in which they occurred. */
const OVERLAP_MS = 30_000;

/**
 * Events as they come, each once. When the connection breaks it is made again, and what happened
 * meanwhile is handed out first.
 */
export const followEvents = extension((transport) => {
  const eachEvent = eachEventOf(transport);

  return (
    filter: EventFilter = {},
    { backfill = false, onGap, ...options }: FollowEventsOptions = {},
  ): AsyncGenerator<Event, void, undefined> => {
    const { signal } = options;
    const seen = createSeenIds();
    const given = filter.occurred?.since ?? filter.occurred?.since_ ?? null;
    let since = backfill && given !== null ? Date.parse(given) : Date.now();
    // By this clock, which may differ from the one that events are told by.
    let heardAt = Date.now();
    let isFirst = true;

    const isNew = (event: Event): boolean => {
      heardAt = Date.now();
      if (!seen.isNew(event.id)) return false;
      since = Math.max(since, Math.min(Date.parse(event.occurred), Date.parse(event.received)));
      return true;
    };
    const missed = (): EventFilter => {
      const start = Math.max(since - OVERLAP_MS, given === null ? 0 : Date.parse(given));
      const { since: _since, since_: _since_, ...rest } = filter.occurred ?? {};
      return { ...filter, occurred: { ...rest, since: new Date(start).toISOString() } };
    };
    const eachMissed = () => eachEvent({ filter: { ...missed(), order: "ASC" } }, { signal });
    /** On a quiet server the last event is long ago however short the gap was. */
    const hasMissed = async (): Promise<boolean> => {
      for await (const { id } of eachMissed()) if (!seen.has(id)) return true;
      return false;
    };

    return reconnecting(transport, "/events/out", options, async function* (connection) {
      const isBack = !isFirst;
      isFirst = false;
      const isResumed = isBack || (backfill && given !== null);
      const isGap = isResumed && Date.now() - Math.min(since, heardAt) > SOCKET_BACKFILL_MS;
      if (isGap && onGap) {
        if (!isBack || (await hasMissed())) onGap();
      } else if (isGap) {
        for await (const event of eachMissed()) if (isNew(event)) yield event;
      }
      const wish = isResumed ? { filter: missed(), backfill: true } : { filter, backfill };
      await connection.send({ type: "filter", ...wish });
      for (;;) {
        const message = (await connection.receive()) as { readonly event: Event } | null;
        if (message === null) return;
        if (isNew(message.event)) yield message.event;
      }
    });
  };
});
