import type { Migration } from "@orchestrator/kernel/storage";

// How many runs were expected to start in every hour: a page far behind the first begins to count
// in its hour, in place of at the first run. Apart from the tallies, because states change more
// often than times do (since 0049 they are kept together). For the engine inside this process; for
// others since 0059.

const TABLE = "flow_run_hours";

/** Runs without a time come behind all others. */
export const stretchOf = (run: string): string =>
  `coalesce(substr(${run}.expected_start_time, 1, 13), '~')`;

const added = `
      insert into ${TABLE} (workspace_id, stretch, runs) values (new.workspace_id, ${stretchOf("new")}, 1)
        on conflict do update set runs = runs + 1;`;

const taken = `
      update ${TABLE} set runs = runs - 1 where (workspace_id, stretch) = (old.workspace_id, ${stretchOf("old")});
      delete from ${TABLE} where (workspace_id, stretch) = (old.workspace_id, ${stretchOf("old")}) and runs = 0;`;

const onSqlite = `
    create table ${TABLE} (
      workspace_id text not null, stretch text not null, runs integer not null, primary key (workspace_id, stretch)
    ) without rowid;
    insert into ${TABLE} (workspace_id, stretch, runs)
      select workspace_id, ${stretchOf("run")}, count(*) from flow_runs run group by 1, 2;
    create trigger ${TABLE}_added after insert on flow_runs begin ${added} end;
    create trigger ${TABLE}_moved after update of expected_start_time on flow_runs
      when ${stretchOf("new")} <> ${stretchOf("old")}
      begin ${added} ${taken} end;
    create trigger ${TABLE}_removed after delete on flow_runs begin ${taken} end;`;

export const flowRunHoursMigration: Migration = {
  name: "flow-run-hours",
  up: (_, { isRemote }) => (isRemote ? "select 1" : onSqlite),
};
