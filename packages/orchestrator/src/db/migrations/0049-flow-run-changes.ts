import { type Migration, sqliteTagTriggers } from "@orchestrator/kernel/storage";
import { COLUMNS, FIGURES, figuresOf, keyOf, minuteOf, WATCHED } from "./0045-flow-run-tallies.ts";
import { stretchOf } from "./0046-flow-run-hours.ts";

// The triggers of runs only note what a run was and what it has become; before the commit the
// tallies and the hours are brought up to date with all that was noted. So the triggers call no
// function, for whose sake SQLite would copy every page that a run changes, which cost as much as
// to write the run. For the engine inside this process only.

const COLUMNS_NOTED = ["workspace_id", ...WATCHED];

const noted = (run: "old" | "new", sign: 1 | -1): string =>
  `insert into flow_run_changes (${COLUMNS_NOTED.join(", ")}, sign)
        values (${COLUMNS_NOTED.map((column) => `${run}.${column}`).join(", ")}, ${sign});`;

const NOTED_IN = "from flow_run_changes change";

/**
 * `sum` gives up where whole numbers become too large, as they do of runs that are late by
 * centuries. `total` does not, and is stored as a whole number wherever it is one: as all of a
 * commit together are up to 285 years.
 */
const totalOf = (figure: string): string => `total(sign * (${figure}))`;

const totals = figuresOf("change").map(totalOf);

const plus = (figures: readonly string[]): string =>
  `on conflict do update set ${figures.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

/**
 * Where nothing is left of what some runs were taken from; less than nothing, where that was taken
 * away before the runs were.
 */
const emptied = (table: string, key: string, keyOfChange: string): string =>
  `delete from ${table} where runs <= 0 and (${key}) in (select ${keyOfChange} ${NOTED_IN} where sign = -1);`;

const TALLY = "workspace_id, state_type, state_name, minute";

/** Takes what is noted into the tallies. */
export const NOTES_ADDED_UP = `
      insert into flow_run_tallies (${COLUMNS})
        select ${keyOf("change")}, '', ${totalOf("1")}, 0, 0, 0, 0 ${NOTED_IN} where true group by 1, 2, 3
        ${plus(["runs"])};
      insert into flow_run_tallies (${COLUMNS})
        select ${keyOf("change")}, ${minuteOf("expected_start_time")}, ${totals.join(", ")} ${NOTED_IN}
        where expected_start_time is not null group by 1, 2, 3, 4
        ${plus(FIGURES)};
      ${emptied("flow_run_tallies", TALLY, `${keyOf("change")}, ''`)}
      ${emptied("flow_run_tallies", TALLY, `${keyOf("change")}, ${minuteOf("expected_start_time")}`)}`;

const workedOff = `${NOTES_ADDED_UP}
      insert into flow_run_hours (workspace_id, stretch, runs)
        select workspace_id, ${stretchOf("change")}, ${totalOf("1")} ${NOTED_IN} where true group by 1, 2 having sum(sign) <> 0
        ${plus(["runs"])};
      ${emptied("flow_run_hours", "workspace_id, stretch", `workspace_id, ${stretchOf("change")}`)}
      delete from flow_run_changes;`;

const FORMER = [
  "flow_run_tallies_added",
  "flow_run_tallies_changed",
  "flow_run_tallies_removed",
  "flow_run_hours_added",
  "flow_run_hours_moved",
  "flow_run_hours_removed",
  ...["flow_run_tags", "task_run_tags"].flatMap((index) =>
    ["added", "changed", "removed"].map((when) => `${index}_${when}`),
  ),
];

const onSqlite = `
    ${FORMER.map((name) => `drop trigger ${name};`).join(" ")}
    ${sqliteTagTriggers("flow_runs", "flow_run_tags", "expected_start_time")}
    ${sqliteTagTriggers("task_runs", "task_run_tags", "expected_start_time")}
    create table flow_run_changes (
      workspace_id text not null, state_type text, state_name text, expected_start_time text, start_time text, end_time text,
      total_run_time real not null, sign integer not null
    );
    create trigger flow_run_added after insert on flow_runs begin ${noted("new", 1)} end;
    create trigger flow_run_changed after update of ${WATCHED.join(", ")} on flow_runs
      when ${WATCHED.map((column) => `new.${column} is not old.${column}`).join(" or ")}
      begin ${noted("old", -1)} ${noted("new", 1)} end;
    create trigger flow_run_removed after delete on flow_runs begin ${noted("old", -1)} end;
    create view before_commit as select sign from flow_run_changes;
    create trigger before_commit_worked_off instead of insert on before_commit begin ${workedOff} end;`;

export const flowRunChangesMigration: Migration = {
  name: "flow-run-changes",
  up: (_, { isRemote }) => (isRemote ? "select 1" : onSqlite),
};
