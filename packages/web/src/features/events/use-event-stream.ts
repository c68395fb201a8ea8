import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { errorText } from "../../lib/error-text.ts";
import { toastError } from "../../ui/toasts.tsx";
import type { ReceivedLogEvent } from "./event-labels.ts";
import { type EventsSearch, eventFilterOf, timesOf } from "./events-search.ts";

const SHOW_MS = 250;
const PAGE = 200;
/** A page that has shown this many keeps the newest of them. */
const MOST = 2000;
/** Events do not arrive in the order in which they occurred. */
const OVERLAP_MS = 60_000;

export interface EventStream {
  /** Newest first; undefined until the first have come. */
  readonly events: readonly ReceivedLogEvent[] | undefined;
  /** How many there are in all, of which these are the newest. */
  readonly total: number;
  /** How many have come since it was paused. */
  readonly waiting: number;
  readonly error: string | undefined;
  /** Undefined where there are no older ones, or no room for them. */
  readonly loadOlder: (() => Promise<void>) | undefined;
}

/** The events that are there and, unless a time in the past is looked at, those that come. */
export function useEventStream(search: EventsSearch, isPaused: boolean): EventStream {
  const [events, setEvents] = useState<readonly ReceivedLogEvent[]>();
  const [total, setTotal] = useState(0);
  const [next, setNext] = useState<string | null>(null);
  const [waiting, setWaiting] = useState(0);
  const [error, setError] = useState<string>();
  const held = useRef<ReceivedLogEvent[]>([]);
  const following = useRef<AbortSignal>(undefined);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const { event: _, ...which } = search;
  const key = JSON.stringify(which);

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const wanted = JSON.parse(key) as EventsSearch;
    following.current = signal;
    held.current = [];
    setEvents(undefined);
    setError(undefined);
    const timer = setInterval(() => {
      if (paused.current || held.current.length === 0) {
        setWaiting(held.current.length);
        return;
      }
      const arrived = held.current;
      held.current = [];
      setWaiting(0);
      setTotal((before) => before + arrived.length);
      setEvents((before = []) => merged(arrived.toReversed(), before));
    }, SHOW_MS);
    const follow = async () => {
      const conditions = eventFilterOf(wanted);
      const page = await api.events.list(
        { filter: { ...conditions, occurred: timesOf(wanted) }, limit: PAGE },
        { signal },
      );
      setEvents(page.events);
      setTotal(page.total);
      setNext(tokenOf(page.next_page));
      if (wanted.until !== undefined) return;
      // From the newest on that is shown, by the server's clock; what comes twice is shown once.
      const known = new Set(page.events.map(({ id }) => id));
      const [newest] = page.events;
      const since = newest && { occurred: { since: startOf(newest) } };
      const filter = { ...conditions, ...since };
      // Those behind the page are counted already, and are asked for page by page.
      const oldest = page.next_page === null ? "" : (page.events.at(-1)?.occurred ?? "");
      for await (const event of api.events.follow(filter, { backfill: true, signal })) {
        if (known.delete(event.id) || event.occurred <= oldest) continue;
        held.current.push(event);
        if (held.current.length > MOST) held.current.splice(0, held.current.length - MOST);
      }
    };
    follow().catch((reason: unknown) => {
      if (!signal.aborted) setError(errorText(reason));
    });
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [key]);

  const loadOlder = async () => {
    const signal = following.current;
    if (next === null || signal === undefined) return;
    try {
      const page = await api.events.listNext({ "page-token": next }, { signal });
      // Meanwhile others may have been asked for.
      if (signal.aborted) return;
      setNext(tokenOf(page.next_page));
      setEvents((before = []) => merged(before, page.events));
    } catch (reason) {
      if (!signal.aborted) toastError(reason);
    }
  };
  const hasRoom = (events?.length ?? 0) < MOST;
  return {
    events,
    total,
    waiting,
    error,
    loadOlder: next !== null && hasRoom ? loadOlder : undefined,
  };
}

const startOf = ({ occurred, received }: ReceivedLogEvent): string =>
  new Date(Math.min(Date.parse(occurred), Date.parse(received)) - OVERLAP_MS).toISOString();

const tokenOf = (address: string | null): string | null =>
  address === null ? null : new URL(address, location.href).searchParams.get("page-token");

/** Of two that occurred in the same moment, the one that came later stands first. */
function merged(
  newer: readonly ReceivedLogEvent[],
  older: readonly ReceivedLogEvent[],
): readonly ReceivedLogEvent[] {
  const known = new Set(newer.map(({ id }) => id));
  const all = [...newer, ...older.filter(({ id }) => !known.has(id))];
  // Times of one width, so that their texts have the order of the times.
  all.sort((a, b) => (a.occurred < b.occurred ? 1 : a.occurred > b.occurred ? -1 : 0));
  return all.slice(0, MOST);
}
