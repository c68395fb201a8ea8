import { arraySql, type Queries, recordText } from "@orchestrator/kernel/storage";
import type { EventPeriod } from "./events-filter.rules.ts";
import { EVENTS, type EventSelection, selectEvents } from "./events-filter.store.ts";

/** A place in the order of a list. */
export interface EventPosition {
  readonly occurred: string;
  readonly position: number;
}

/** A place and how many characters its event has. */
export interface EventInList extends EventPosition {
  readonly size: number;
}

export interface KeyRequest {
  readonly limit: number;
  /** How many to skip, behind `after`; none when left out. */
  readonly offset?: number;
  /** Where the page before ended. */
  readonly after: EventPosition | null;
}

/** How many events a filter means; of each resource only one where it says so. */
export async function countEvents(
  queries: Queries,
  { stretches = null, ...selection }: EventSelection,
): Promise<number> {
  if (stretches === null) return countEventsIn(queries, selection);
  let count = 0;
  for await (const period of stretches.each())
    count += await countEventsIn(queries, { ...selection, period });
  return count;
}

async function countEventsIn(queries: Queries, selection: EventSelection): Promise<number> {
  const { where, values } = await selectEvents(queries, selection);
  const counted = isDistinct(selection) ? "distinct e.resource_id" : "*";
  const sql = `select count(${counted}) as count from events e where ${where}`;
  const row = await queries.select<{ count: number }>({ sql, values, sweeps: EVENTS });
  return row?.count ?? 0;
}

/** The places of a page's events, in the order of the list. */
export async function findEventKeys(
  queries: Queries,
  { stretches = null, ...selection }: EventSelection,
  request: KeyRequest,
): Promise<EventInList[]> {
  if (stretches === null) return findEventKeysIn(queries, selection, request);
  const { limit, offset = 0, after } = request;
  const found: EventInList[] = [];
  for await (const period of stretches.each()) {
    const missing = offset + limit - found.length;
    const part = { limit: missing, after };
    found.push(...(await findEventKeysIn(queries, { ...selection, period }, part)));
    if (found.length >= offset + limit) break;
  }
  return found.slice(offset);
}

async function findEventKeysIn(
  queries: Queries,
  selection: EventSelection,
  { limit, offset = 0, after }: KeyRequest,
): Promise<EventInList[]> {
  const isAscending = selection.filter.order === "ASC";
  const distinct = isDistinct(selection);
  // What lies before need not be looked at again; but which event of a resource is its first is
  // decided by all.
  const period =
    after === null || distinct
      ? selection.period
      : remainingPeriod(selection.period, { isAscending, occurred: after.occurred });
  const { where, values, bind, dialect, isGathered } = await selectEvents(queries, {
    ...selection,
    period,
  });
  const order = (alias: string): string => {
    const direction = isAscending ? "asc" : "desc";
    return `${alias}.occurred ${direction}, ${alias}.position ${direction}`;
  };
  // As an expression: reading all events in their order until enough are found would be a way to
  // have it, too.
  const ordered = order("e").replace("e.occurred", "e.occurred || ''");
  const behind = (alias: string): string =>
    after === null
      ? ""
      : ` and (${alias}.occurred, ${alias}.position) ${isAscending ? ">" : "<"} (${bind(after.occurred)}, ${bind(after.position)})`;
  const matching = distinct
    ? `select e.position from (
        select m.position, m.occurred from (
          select e.position, e.occurred, row_number() over (partition by e.resource_id order by ${order("e")}) as place
          from events e where ${where}
        ) m where m.place = 1
      ) e where 1 = 1${behind("e")} order by ${order("e")} limit ${bind(limit)} offset ${bind(offset)}`
    : `select e.position from events e where ${where}${behind("e")} order by ${isGathered ? ordered : order("e")} limit ${bind(limit)} offset ${bind(offset)}`;
  const record = recordText(dialect, {
    fields: { occurred: "text", position: "integer", size: "integer" },
    table: "found",
  });
  const sql = arraySql(
    dialect,
    `select ${record} as record from (
      select e.occurred, e.position, length(cast(e.body as text)) as size
      from (${matching}) listed join events e on e.position = listed.position
    ) found order by ${order("found")}`,
  );
  const row = await queries.select<{ json: string }>({ sql, values, sweeps: EVENTS });
  return JSON.parse(row?.json ?? "[]") as EventInList[];
}

/** What is left of a period, in the order of a list, when it has come to a time. */
export function remainingPeriod(
  { since, until }: EventPeriod,
  { isAscending, occurred }: { readonly isAscending: boolean; readonly occurred: string },
): EventPeriod {
  return isAscending
    ? { since: occurred > since ? occurred : since, until }
    : { since, until: occurred < until ? occurred : until };
}

/** The events at some places, as a JSON array in the order of the list. */
export async function readEventsAt(
  queries: Queries,
  positions: readonly number[],
  { isAscending }: { readonly isAscending: boolean },
): Promise<string> {
  const { dialect } = queries;
  const direction = isAscending ? "asc" : "desc";
  const isWanted = dialect.isOneOf("e.position", "integer", dialect.parameter(2));
  const sql = arraySql(
    dialect,
    `select cast(e.body as text) as record from events e where e.workspace_id = ${dialect.parameter(1)} and ${isWanted} order by e.occurred ${direction}, e.position ${direction}`,
  );
  const values = [queries.workspaceId, dialect.list(positions)];
  const row = await queries.select<{ json: string }>({ sql, values });
  return row?.json ?? "[]";
}

const isDistinct = ({ filter }: EventSelection): boolean => filter.resource?.distinct === true;
