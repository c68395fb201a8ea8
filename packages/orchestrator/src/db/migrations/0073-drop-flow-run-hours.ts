import type { Migration } from "@orchestrator/kernel/storage";
import { NOTES_ADDED_UP } from "./0049-flow-run-changes.ts";
import { ADDED_UP } from "./0058-remote-tallies.ts";
import { COARSE, coarseTriggerFunctions, OF_STRETCHES, TIMELESS } from "./0059-coarse-tallies.ts";

// Runs were counted by the hour to find deep pages, which now skip index entries instead. On
// PostgreSQL histories still read the hours, but not the runs without a time.

const onSqlite = `
    drop trigger before_commit_worked_off;
    drop table flow_run_hours;
    create trigger before_commit_worked_off instead of insert on before_commit begin ${NOTES_ADDED_UP}
      delete from flow_run_changes;
    end;`;

const onPostgres = `
    lock table ${ADDED_UP} in share row exclusive mode;
    drop view flow_run_hours, flow_run_noted_hours;
    ${coarseTriggerFunctions("create or replace function", OF_STRETCHES)}
    delete from ${COARSE} where stretch = ${TIMELESS};`;

export const dropFlowRunHoursMigration: Migration = {
  name: "drop-flow-run-hours",
  up: (_, { isRemote }) => (isRemote ? onPostgres : onSqlite),
};
