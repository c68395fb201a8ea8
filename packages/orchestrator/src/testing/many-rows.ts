// For tests of what happens where there are very many rows.

import type { TestApi } from "../testing.ts";

/**
 * What a statement that writes many rows is made of: their number is `n`, and ids of a kind are
 * made of it.
 */
interface Many {
  readonly numbers: string;
  readonly id: (kind: number, n: string) => string;
  readonly yes: string;
}

export async function fillTable(
  { ctx: { db } }: TestApi,
  rows: number,
  insert: (many: Many) => string,
) {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = isSqlite
    ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${rows}) select n from g) g`
    : `generate_series(1, ${rows}) as g(n)`;
  const id = (kind: number, n: string): string => {
    const digits = `substr('000000000000' || cast(${n} as text), length(cast(${n} as text)) + 1)`;
    const text = `'0000000${kind}-0000-4000-8000-' || ${digits}`;
    return isSqlite ? text : `(${text})::uuid`;
  };
  const sql = insert({ numbers, id, yes: isSqlite ? "1" : "true" });
  await db.exclusively((session) => session.execute(sql));
}

/** Runs of the same deployment and schedule that nobody has begun, as a schedule makes them. */
export const addOverdue = (api: TestApi, run: string, count: number) =>
  fillTable(
    api,
    count,
    ({ id, numbers, yes }) => `
      insert into flow_runs (id, workspace_id, created, updated, name, flow_id, deployment_id, created_by_id, parameters,
        context, empirical_policy, tags, labels, work_queue_id, state_type, state_name, run_count, expected_start_time,
        next_scheduled_start_time, total_run_time, auto_scheduled)
      select ${id(4, "n")}, workspace_id, '', '', 'copy ' || cast(n as text), flow_id, deployment_id, created_by_id, '{}',
        '{}', '{}', '[]', '{}', work_queue_id, 'SCHEDULED', 'Late', 0, '2020-' || cast(10000 + n as text),
        '2020-' || cast(10000 + n as text), 0, ${yes}
      from ${numbers} cross join flow_runs where flow_runs.id = '${run}'`,
  );

export async function countTableRows(
  { ctx }: TestApi,
  table: string,
  where = "true",
): Promise<number> {
  const [row] = await ctx.db.exclusively((session) =>
    session.rows<{ count: number }>(`select count(*) as count from ${table} where ${where}`),
  );
  return Number(row?.count);
}

/** Lets every delete of such rows fail, until it is taken back. */
export async function refuseDeletes({ ctx: { db } }: TestApi, table: string, when = "1 = 1") {
  const isSqlite = db.dialect.name === "sqlite";
  const create = isSqlite
    ? `create trigger refuse before delete on ${table} when ${when} begin select raise(abort, 'refused'); end`
    : `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
       create trigger refuse before delete on ${table} for each row when (${when}) execute function refuse()`;
  const drop = isSqlite
    ? "drop trigger refuse"
    : `drop trigger refuse on ${table}; drop function refuse`;
  await db.exclusively((session) => session.execute(create));
  return () => db.exclusively((session) => session.execute(drop));
}
