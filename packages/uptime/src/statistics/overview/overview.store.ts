import { type OverviewState, RECENT_RESULTS } from "@orchestrator/contract";
import { selectFrom } from "@orchestrator/kernel/lists";
import { arraySql, type Queries, recordText } from "@orchestrator/kernel/storage";
import { OVERVIEW, overviewFields, STATE_SQL } from "./overview.filter.ts";

type Filter = Readonly<Record<string, unknown>>;

const FIELDS = overviewFields(RECENT_RESULTS);
const RANK = `case ${STATE_SQL} when 'down' then 0 when 'degraded' then 1 when 'unknown' then 2 when 'up' then 3 else 4 end`;

interface Page {
  readonly filter: Filter;
  readonly limit: number;
  readonly offset: number;
}

/** The records of a page with their last results, what is wrong first, then by name. */
export async function listOverview(
  queries: Queries,
  { filter, limit, offset }: Page,
): Promise<string> {
  const row = await selectFrom<{ json: string }>(queries, OVERVIEW, {
    selection: { filter },
    query: ({ where, bind, dialect }) =>
      arraySql(
        dialect,
        `select ${recordText(dialect, { fields: FIELDS, table: "monitors" })} as record from "monitors" where ${where} order by ${RANK}, lower("monitors"."name"), "monitors"."id" limit ${bind(limit)} offset ${bind(offset)}`,
      ),
  });
  return row?.json ?? "[]";
}

export type StateCounts = Readonly<Record<OverviewState, number>>;

const counted = (state: OverviewState): string =>
  `cast(coalesce(sum(case when ${STATE_SQL} = '${state}' then 1 else 0 end), 0) as bigint) as ${state}`;

/** How many of the monitors are in each state. */
export async function countStates(queries: Queries, filter: Filter): Promise<StateCounts> {
  const states = (["down", "degraded", "unknown", "up", "paused"] as const).map(counted);
  const row = await selectFrom<StateCounts>(queries, OVERVIEW, {
    selection: { filter },
    query: ({ where }) => `select ${states.join(", ")} from "monitors" where ${where}`,
  });
  return row ?? { down: 0, degraded: 0, unknown: 0, up: 0, paused: 0 };
}
