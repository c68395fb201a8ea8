import type { EventFilter } from "@orchestrator/contract";
import { readHead } from "@orchestrator/kernel/events";
import type { TextRanges } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { periodOf } from "./events-filter.rules.ts";
import { type EventsPlace, readPlace, writePlace } from "./events-page.rules.ts";
import {
  countEvents,
  type EventInList,
  type EventPosition,
  findEventKeys,
  readEventsAt,
  remainingPeriod,
} from "./events-page.store.ts";
import { findEventRanges } from "./events-ranges.store.ts";

/** Events may be large; a page ends early rather than hold more characters than this. */
const MAX_PAGE_SIZE = 8_000_000;

export interface EventsPageJson {
  /** JSON array. */
  readonly events: string;
  readonly total: number;
  /** What to ask for the next page with; null after the last one. */
  readonly token: string | null;
}

type List = Pick<EventsPlace, "filter" | "limit" | "total" | "head">;

interface FirstPage {
  readonly filter: EventFilter;
  readonly limit: number;
  /** How many events of the list to skip. */
  readonly offset: number;
}

/** A page of the events that a filter means, from which the others can be reached. */
export async function filterEvents(
  ctx: OrchestratorContext,
  scope: Scope,
  { filter, limit, offset }: FirstPage,
): Promise<EventsPageJson> {
  // What comes later, or goes by in the meantime, changes nothing about the pages that follow.
  const head = await readHead(ctx.db);
  const period = periodOf(filter, ctx.clock.nowMicros());
  const fixed = { ...filter, occurred: period };
  const queries = ctx.db.in(scope.workspaceId);
  const stretches = findEventRanges(queries, { filter, period, rows: null });
  const total = await countEvents(queries, { filter: fixed, period, head, stretches });
  if (limit === 0) return { events: "[]", total, token: null };
  return readPage(ctx, scope, { filter: fixed, limit, total, head }, { offset, stretches });
}

/** The page that a token names. */
export async function readNextEvents(
  ctx: OrchestratorContext,
  scope: Scope,
  token: string,
): Promise<EventsPageJson> {
  const place = readPlace(token);
  if (place === null)
    throw new AppError("forbidden", "The page token cannot be read: ask for the first page again");
  const { filter, occurred, limit: rows } = place;
  const isAscending = filter.order === "ASC";
  const asked = periodOf(filter, ctx.clock.nowMicros());
  const period = remainingPeriod(asked, { isAscending, occurred });
  const queries = ctx.db.in(scope.workspaceId);
  const stretches = findEventRanges(queries, { filter, period, rows });
  return readPage(ctx, scope, place, { after: place, stretches });
}

interface Part {
  readonly after?: EventPosition;
  readonly offset?: number;
  readonly stretches: TextRanges | null;
}

async function readPage(
  ctx: OrchestratorContext,
  scope: Scope,
  list: List,
  { after, offset = 0, stretches }: Part,
): Promise<EventsPageJson> {
  const { filter, limit, total, head } = list;
  const queries = ctx.db.in(scope.workspaceId);
  const period = periodOf(filter, ctx.clock.nowMicros());
  const found = await findEventKeys(
    queries,
    { filter, period, head, stretches },
    { limit: limit + 1, offset, after: after ?? null },
  );
  const page = fitting(found.slice(0, limit));
  const last = page.at(-1);
  const events = await readEventsAt(
    queries,
    page.map(({ position }) => position),
    { isAscending: filter.order === "ASC" },
  );
  if (last === undefined || page.length === found.length) return { events, total, token: null };
  const { occurred, position } = last;
  const token = writePlace({ filter, limit, total, head, occurred, position });
  if (token === null)
    throw new AppError("invalid", "The filter is too long for its events to be read in pages");
  return { events, total, token };
}

/** As many as a page may hold, and at least one. */
function fitting(found: readonly EventInList[]): readonly EventInList[] {
  let size = 0;
  const tooMany = found.findIndex((event, index) => {
    size += event.size;
    return index > 0 && size > MAX_PAGE_SIZE;
  });
  return tooMany === -1 ? found : found.slice(0, tooMany);
}
