import type { Migration } from "@orchestrator/kernel";

// How many runs there are in each state, on an engine of several writers: none of them waits for another's row, because what a write changes is only
// noted, and a loop adds it up later. A count is what was added up and what is noted since (the view). By minutes nothing is kept: histories are
// the engine's own work there.

const NOTED = "flow_run_changes";
const ADDED_UP = "flow_run_states_tallied";
const COLUMNS = "workspace_id, state_type, state_name, runs";

const stateOf = (run: string): string =>
  `${run}.workspace_id, coalesce(${run}.state_type, ''), coalesce(${run}.state_name, '')`;

/** Of many runs at once, a note for each of their states. */
const noted = (runs: string, sign: "" | "-"): string =>
  `insert into ${NOTED} (${COLUMNS}) select ${stateOf("run")}, ${sign}count(*) from ${runs} run group by 1, 2, 3;`;

const trigger = (name: string, body: string): string => `
    create function ${name}_follow() returns trigger language plpgsql set search_path from current as $$ begin
      ${body}
      return null;
    end $$;`;

const onPostgres = `
    create table ${NOTED} (
      workspace_id uuid not null, state_type text collate "C" not null, state_name text collate "C" not null, runs bigint not null
    );
    create table ${ADDED_UP} (
      workspace_id uuid not null, state_type text collate "C" not null, state_name text collate "C" not null, runs bigint not null,
      primary key (workspace_id, state_type, state_name)
    );
    create view flow_run_tallies as
      select ${COLUMNS}, '' as minute from ${ADDED_UP} union all select ${COLUMNS}, '' from ${NOTED};
    lock table flow_runs in share row exclusive mode;
    insert into ${ADDED_UP} (${COLUMNS}) select ${stateOf("run")}, count(*) from flow_runs run group by 1, 2, 3;
    ${trigger("flow_run_added", noted("added", ""))}
    ${trigger("flow_run_removed", noted("removed", "-"))}
    ${trigger("flow_run_changed", `insert into ${NOTED} (${COLUMNS}) values (${stateOf("old")}, -1), (${stateOf("new")}, 1);`)}
    create trigger flow_run_added after insert on flow_runs referencing new table as added
      for each statement execute function flow_run_added_follow();
    create trigger flow_run_removed after delete on flow_runs referencing old table as removed
      for each statement execute function flow_run_removed_follow();
    create trigger flow_run_changed after update of state_type, state_name on flow_runs
      for each row when (new.state_type is distinct from old.state_type or new.state_name is distinct from old.state_name)
      execute function flow_run_changed_follow();
    create function add_up_flow_run_changes() returns bigint language plpgsql set search_path from current as $$
    declare changes bigint;
    begin
      if not exists (select from ${NOTED}) then
        return 0;
      end if;
      -- One at a time: of two that each had a part of the notes, one might find less than nothing.
      lock table ${ADDED_UP} in share row exclusive mode;
      with taken as (delete from ${NOTED} returning ${COLUMNS}),
        summed as (
          insert into ${ADDED_UP} (${COLUMNS})
            select workspace_id, state_type, state_name, sum(runs) from taken group by 1, 2, 3 having sum(runs) <> 0
            on conflict (workspace_id, state_type, state_name) do update set runs = ${ADDED_UP}.runs + excluded.runs
        )
        select count(*) into changes from taken;
      -- Less than nothing is left where what was added up was taken away before the runs were, with their workspace.
      delete from ${ADDED_UP} where runs <= 0;
      return changes;
    end $$;`;

export const remoteTallies: Migration = {
  name: "remote-tallies",
  up: (_, { isRemote }) => (isRemote ? onPostgres : "select 1"),
};
