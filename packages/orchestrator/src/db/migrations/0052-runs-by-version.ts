import type { Migration } from "@orchestrator/kernel";

// Versions, and kinds of what made a run: where few runs have one, all runs would be gone through for it. Runs without them are not in the indexes.
// What is longer than an entry on PostgreSQL may be is kept as its beginning and a digest, as new ones are (`run-texts.ts`).

export const runsByVersion: Migration = {
  name: "runs-by-version",
  up: (_, { isRemote }) => `
    ${
      isRemote
        ? `update flow_runs set flow_version = left(flow_version, 300) || '...' || encode(sha256(convert_to(flow_version, 'UTF8')), 'hex')
      where octet_length(flow_version) > 2500;`
        : ""
    }
    create index flow_runs_by_version on flow_runs (workspace_id, flow_version, expected_start_time, id) where flow_version is not null;
    create index flow_runs_by_creator on flow_runs (workspace_id, created_by_type, expected_start_time, id) where created_by_type is not null;`,
};
