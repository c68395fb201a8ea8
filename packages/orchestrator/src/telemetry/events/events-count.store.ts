import { eventSearchSql } from "@orchestrator/kernel/events";
import { arraySql, type Queries, recordText } from "@orchestrator/kernel/storage";
import type { Buckets } from "./events-filter.rules.ts";
import { EVENTS, type EventSelection, selectEvents } from "./events-filter.store.ts";

/** How many events of one kind there are, the first and the last. */
export interface EventGroup {
  readonly value: string;
  readonly label: string | null;
  readonly count: number;
  readonly start_time: string;
  readonly end_time: string;
}

const GROUP = {
  value: "text",
  label: "text",
  count: "integer",
  start_time: "text",
  end_time: "text",
} as const;

/** Kinds beyond the most frequent ones are left out. */
const MAX_GROUPS = 1000;

export async function countByName(
  queries: Queries,
  selection: EventSelection,
): Promise<EventGroup[]> {
  return countGroups(queries, selection, { column: "event", label: () => "groups.value" });
}

/** A resource is called what the last of its events calls it. */
export async function countByResource(
  queries: Queries,
  selection: EventSelection,
): Promise<EventGroup[]> {
  const { resourceLabel } = eventSearchSql(queries.dialect);
  const name = `coalesce(${resourceLabel("resource.name")}, ${resourceLabel("name")})`;
  const label = (workspace: string) => `(
    select ${name} from events e
    where e.workspace_id = ${workspace} and e.resource_id = groups.value and e.occurred = groups.end_time
    order by e.position desc limit 1)`;
  return countGroups(queries, selection, { column: "resource_id", label });
}

interface Grouping {
  readonly column: string;
  readonly label: (workspace: string) => string;
}

async function countGroups(
  queries: Queries,
  { stretches = null, ...selection }: EventSelection,
  grouping: Grouping,
): Promise<EventGroup[]> {
  if (stretches === null) return countGroupsIn(queries, selection, grouping);
  const groups = new Map<string, EventGroup>();
  for await (const period of stretches.each()) {
    const found = await countGroupsIn(queries, { ...selection, period }, grouping);
    // What was left out here might be frequent in all.
    if (found.length === MAX_GROUPS) return countGroupsIn(queries, selection, grouping);
    for (const group of found) {
      const known = groups.get(group.value);
      groups.set(group.value, known === undefined ? group : joined(known, group));
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_GROUPS);
}

/** The same kind in two stretches of time. */
function joined(one: EventGroup, other: EventGroup): EventGroup {
  const [first, last] = one.end_time < other.end_time ? [one, other] : [other, one];
  return { ...last, count: first.count + last.count, start_time: first.start_time };
}

async function countGroupsIn(
  queries: Queries,
  selection: EventSelection,
  { column, label }: Grouping,
): Promise<EventGroup[]> {
  const { where, values, bind, dialect } = await selectEvents(queries, selection);
  const groups = `select e.${column} as value, count(*) as count, min(e.occurred) as start_time, max(e.occurred) as end_time
    from events e where ${where} group by e.${column} order by count(*) desc, e.${column} limit ${bind(MAX_GROUPS)}`;
  const sql = arraySql(
    dialect,
    `select ${recordText(dialect, { fields: GROUP, table: "counted" })} as record from (
      select groups.value, ${label(dialect.parameter(1))} as label, groups.count, groups.start_time, groups.end_time
      from (${groups}) groups
    ) counted`,
  );
  const row = await queries.select<{ json: string }>({ sql, values, sweeps: EVENTS });
  return JSON.parse(row?.json ?? "[]") as EventGroup[];
}

interface BucketCount {
  readonly bucket: number;
  readonly count: number;
}

/** How many events fall into which piece of time; pieces without any are left out. */
export async function countByTime(
  queries: Queries,
  { stretches = null, ...selection }: EventSelection,
  buckets: Buckets,
): Promise<BucketCount[]> {
  if (stretches === null) return countByTimeIn(queries, selection, buckets);
  const counts = new Map<number, number>();
  for await (const period of stretches.each())
    for (const { bucket, count } of await countByTimeIn(queries, { ...selection, period }, buckets))
      counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
}

async function countByTimeIn(
  queries: Queries,
  selection: EventSelection,
  { start, length }: Buckets,
): Promise<BucketCount[]> {
  const { where, values, bind, dialect } = await selectEvents(queries, selection);
  const whole = (value: number): string => `cast(${bind(value)} as ${dialect.types.integer})`;
  const bucket = `(${dialect.micros("e.occurred")} - ${whole(start)}) / ${whole(length)}`;
  const sql = arraySql(
    dialect,
    `select ${recordText(dialect, { fields: { bucket: "integer", count: "integer" }, table: "counted" })} as record from (
      select ${bucket} as bucket, count(*) as count from events e where ${where} group by 1
    ) counted`,
  );
  const row = await queries.select<{ json: string }>({ sql, values, sweeps: EVENTS });
  return JSON.parse(row?.json ?? "[]") as BucketCount[];
}
