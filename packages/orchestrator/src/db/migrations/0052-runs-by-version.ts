import type { Migration } from "@orchestrator/kernel/storage";

// Versions, kinds of what made a run, and unusual states of task runs: where few have one, all
// would be gone through for it. Runs without them are not in the indexes. The names of states that
// most task runs have are not in theirs either (`task-runs.filter.ts` names the same), so that the
// life of most sets nothing there. What is longer than an entry on PostgreSQL may be is kept as its
// beginning and a digest, as new ones are (`run-texts.ts`).

/**
 * Of the column, the first 300 units as `digested` counts them: a character beyond the 65,536th is
 * two of them, and half of one is told as U+FFFD.
 */
const beginning = (column: string): string => `(
      select string_agg(case when units = 301 then chr(65533) else letter end, '' order by place)
      from (
        select letter, place, width, sum(width) over (order by place) as units
        from regexp_split_to_table(left(${column}, 300), '') with ordinality as split (letter, place),
          lateral (select case when ascii(letter) > 65535 then 2 else 1 end as width) as counted
      ) as letters
      where units - width < 300
    )`;

export const runsByVersionMigration: Migration = {
  name: "runs-by-version",
  up: (_, { isRemote }) => `
    ${
      isRemote
        ? `update flow_runs set flow_version = ${beginning("flow_version")} || '...' || encode(sha256(convert_to(flow_version, 'UTF8')), 'hex')
      where octet_length(flow_version) > 2500;`
        : ""
    }
    create index flow_runs_by_version on flow_runs (workspace_id, flow_version, expected_start_time, id) where flow_version is not null;
    create index flow_runs_by_creator on flow_runs (workspace_id, created_by_type, expected_start_time, id) where created_by_type is not null;
    create index task_runs_by_state_name on task_runs (workspace_id, state_name, expected_start_time, id)
      where state_name not in ('Scheduled', 'Pending', 'Running', 'Completed');`,
};
