import type { Migration } from "@orchestrator/kernel/storage";

// How many runs were expected to start in every minute, by the state they are in now, and how many
// there are at all (with no time): a dashboard and a count look at a few hundred rows in place of
// all runs. For the engine inside this process (for others since 0058), whose work is ours;
// triggers keep them as they keep an index (and since 0049 note what is to be added up). On an
// engine of several writers all of them would wait for these rows.

const TABLE = "flow_run_tallies";

/** The minute that a time lies in: `2026-11-15T18:45`. */
export const minuteOf = (time: string): string => `substr(${time}, 1, 16)`;

/** How far into its minute a time is: sums of whole times would be beyond what can be counted. */
const withinMinute = (time: string): string =>
  `coalesce(substr(${time}, 18, 2) * 1000000 + substr(${time}, 21, 6), 0)`;

const micros = (time: string): string =>
  `coalesce(unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6), 0)`;

/**
 * What a run adds to its minute. Numbers are whole, so that what was added and taken away is
 * nothing.
 */
export function figuresOf(run: string): readonly string[] {
  const isWaiting = `${run}.start_time is null and ${run}.end_time is null`;
  return [
    "1",
    `cast(round(${run}.total_run_time * 1000000) as integer)`,
    `case when ${run}.start_time > ${run}.expected_start_time then ${micros(`${run}.start_time`)} - ${micros(`${run}.expected_start_time`)} else 0 end`,
    `${isWaiting}`,
    `case when ${isWaiting} then ${withinMinute(`${run}.expected_start_time`)} else 0 end`,
  ];
}

export const FIGURES = ["runs", "run_time", "lateness", "waiting", "waiting_offset"];
export const COLUMNS = ["workspace_id", "state_type", "state_name", "minute", ...FIGURES].join(
  ", ",
);

export const keyOf = (run: string): string =>
  `${run}.workspace_id, coalesce(${run}.state_type, ''), coalesce(${run}.state_name, '')`;

const isOf = (run: string, minute: string): string =>
  `(workspace_id, state_type, state_name, minute) = (${keyOf(run)}, ${minute})`;

// Statements with one row each: of several, SQLite makes a table first, which costs as much as the
// rest.
const added = `
      insert into ${TABLE} (${COLUMNS}) values (${keyOf("new")}, '', 1, 0, 0, 0, 0)
        on conflict do update set runs = runs + 1;
      insert into ${TABLE} (${COLUMNS})
        select ${keyOf("new")}, ${minuteOf("new.expected_start_time")}, ${figuresOf("new").join(", ")} where new.expected_start_time is not null
        on conflict do update set ${FIGURES.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")};`;

const taken = `
      update ${TABLE} set runs = runs - 1 where ${isOf("old", "''")};
      update ${TABLE} set ${FIGURES.map((name, n) => `${name} = ${name} - (${figuresOf("old")[n]})`).join(", ")}
        where ${isOf("old", minuteOf("old.expected_start_time"))};
      delete from ${TABLE} where ${isOf("old", minuteOf("old.expected_start_time"))} and runs = 0;
      delete from ${TABLE} where ${isOf("old", "''")} and runs = 0;`;

/** What of a run the figures depend on. */
export const WATCHED = [
  "state_type",
  "state_name",
  "expected_start_time",
  "start_time",
  "end_time",
  "total_run_time",
];

/** What the runs that are there already come to. */
const summed = (minute: string, figures: readonly string[]): string =>
  `insert into ${TABLE} (${COLUMNS}) select ${keyOf("run")}, ${minute}, ${figures.map((figure) => `cast(total(${figure}) as integer)`).join(", ")} from flow_runs run`;

const onSqlite = `
    create table ${TABLE} (
      workspace_id text not null, minute text not null, state_type text not null, state_name text not null,
      runs integer not null, run_time integer not null, lateness integer not null,
      waiting integer not null, waiting_offset integer not null,
      primary key (workspace_id, minute, state_type, state_name)
    ) without rowid;
    ${summed("''", ["1", "0", "0", "0", "0"])} group by 1, 2, 3;
    ${summed(minuteOf("run.expected_start_time"), figuresOf("run"))} where run.expected_start_time is not null group by 1, 2, 3, 4;
    create trigger ${TABLE}_added after insert on flow_runs begin ${added} end;
    create trigger ${TABLE}_changed after update of ${WATCHED.join(", ")} on flow_runs
      when ${WATCHED.map((column) => `new.${column} is not old.${column}`).join(" or ")}
      begin ${added} ${taken} end;
    create trigger ${TABLE}_removed after delete on flow_runs begin ${taken} end;`;

export const flowRunTalliesMigration: Migration = {
  name: "flow-run-tallies",
  up: (_, { isRemote }) => (isRemote ? "select 1" : onSqlite),
};
