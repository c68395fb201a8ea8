import type { Migration } from "@orchestrator/kernel/storage";
import { COLUMNS, FIGURES, keyOf, minuteOf, WATCHED } from "./0045-flow-run-tallies.ts";

// The tallies of runs on an engine of several writers, of whom none is to wait for another's row:
// what a run was and has become is only noted with the change, and a loop adds the notes up.
// `flow_run_tallies` is a view here, of what was added up and what is noted since, so a kind of
// runs may have several rows in it, and they are right only together.

export const NOTED = "flow_run_changes";
export const ADDED_UP = "flow_run_sums";
/** So many take a second or two. */
export const AT_ONCE = 100_000;
const KEY = "workspace_id, minute, state_type, state_name";
const COLUMNS_NOTED = ["workspace_id", ...WATCHED];

const columnsOf = (run: string): string =>
  COLUMNS_NOTED.map((column) => `${run}.${column}`).join(", ");

const micros = (time: string): string =>
  `(extract(epoch from ${time}::timestamptz) * 1000000)::bigint`;

/**
 * What a noted run adds to its minute, or takes from it; sums of times may be beyond what other
 * whole numbers hold.
 */
const figures = [
  "1",
  "round((total_run_time * 1000000)::numeric)",
  `case when start_time > expected_start_time then ${micros("start_time")} - ${micros("expected_start_time")} else 0 end`,
  "case when start_time is null and end_time is null then 1 else 0 end",
  `case when start_time is null and end_time is null then ${micros("expected_start_time")} - ${micros(`(${minuteOf("expected_start_time")} || ':00Z')`)} else 0 end`,
];

const signed = figures.map((figure, n) => `sign * (${figure}) as ${FIGURES[n]}`);
const none = FIGURES.slice(1).map(() => "0");

/**
 * Each note counts twice: among all runs in its state (the minute is empty), and among those
 * expected in its minute.
 */
export const summands = (changes: string): string => `
      select ${keyOf("change")}, '' as minute, sign as runs, ${none.join(", ")} from ${changes} change
      union all
      select ${keyOf("change")}, ${minuteOf("expected_start_time")}, ${signed.join(", ")} from ${changes} change
        where expected_start_time is not null`;

const sums = (changes: string): string => `
      select workspace_id, state_type, state_name, minute, ${FIGURES.map((name) => `sum(${name})`).join(", ")}
        from (${summands(changes)}) summand (${COLUMNS}) group by 1, 2, 3, 4 having ${FIGURES.map((name) => `sum(${name}) <> 0`).join(" or ")}`;

/**
 * With the rights of the owner: who writes runs may not be told yet that it may write notes. Which
 * workspace that is of was looked at with the runs.
 */
const trigger = (when: string, body: string): string => `
    create function flow_run_${when}_follow() returns trigger language plpgsql security definer set search_path from current as $$ begin
      insert into ${NOTED} (${COLUMNS_NOTED.join(", ")}, sign) ${body};
      return null;
    end $$;`;

const onPostgres = `
    create table ${NOTED} (
      workspace_id uuid not null, state_type text collate "C", state_name text collate "C", expected_start_time text collate "C",
      start_time text collate "C", end_time text collate "C", total_run_time double precision not null, sign smallint not null
    );
    create table ${ADDED_UP} (
      workspace_id uuid not null, minute text collate "C" not null, state_type text collate "C" not null, state_name text collate "C" not null,
      runs bigint not null, run_time numeric not null, lateness numeric not null, waiting bigint not null, waiting_offset numeric not null,
      primary key (${KEY})
    );
    create index ${ADDED_UP}_of_none on ${ADDED_UP} (workspace_id) where runs <= 0;
    create view flow_run_tallies as
      select ${COLUMNS} from ${ADDED_UP} union all select * from (${summands(NOTED)}) summand (${COLUMNS});
    lock table flow_runs in share row exclusive mode;
    insert into ${ADDED_UP} (${COLUMNS}) ${sums("(select *, 1 as sign from flow_runs)")};
    ${trigger("added", `select ${columnsOf("run")}, 1 from added run`)}
    ${trigger("removed", `select ${columnsOf("run")}, -1 from removed run`)}
    ${trigger("changed", `values (${columnsOf("old")}, -1), (${columnsOf("new")}, 1)`)}
    create trigger flow_run_added after insert on flow_runs referencing new table as added
      for each statement execute function flow_run_added_follow();
    create trigger flow_run_removed after delete on flow_runs referencing old table as removed
      for each statement execute function flow_run_removed_follow();
    create trigger flow_run_changed after update of ${WATCHED.join(", ")} on flow_runs
      for each row when (${WATCHED.map((column) => `new.${column} is distinct from old.${column}`).join(" or ")})
      execute function flow_run_changed_follow();
    create function add_up_flow_run_changes() returns bigint language plpgsql set search_path from current as $$
    declare changes bigint;
    begin
      if not exists (select from ${NOTED}) then
        return 0;
      end if;
      -- One at a time: of two that each had a part of the notes, one might find less than nothing. No lock of the table, which a vacuum would hold for long.
      perform pg_advisory_xact_lock('${ADDED_UP}'::regclass::oid::bigint);
      with taken as (
          delete from ${NOTED} where ctid = any (array (select ctid from ${NOTED} limit ${AT_ONCE})) returning *
        ),
        added_up as (
          insert into ${ADDED_UP} (${COLUMNS}) ${sums("taken")}
            on conflict (${KEY}) do update set ${FIGURES.map((name) => `${name} = ${ADDED_UP}.${name} + excluded.${name}`).join(", ")}
        )
        select count(*) into changes from taken;
      -- Where notes are left, they may make something of what is less than nothing now. Where none are, the sums were taken away before the runs were, with
      -- their workspace.
      if changes < ${AT_ONCE} then
        delete from ${ADDED_UP} where runs <= 0;
      end if;
      return changes;
    end $$;`;

export const remoteTalliesMigration: Migration = {
  name: "remote-tallies",
  up: (_, { isRemote }) => (isRemote ? onPostgres : "select 1"),
};
