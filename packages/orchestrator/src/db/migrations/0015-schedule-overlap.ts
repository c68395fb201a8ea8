import type { Migration } from "@orchestrator/kernel/storage";

// Whether an earlier run of a schedule is still under way is asked at each claim of a run of a
// schedule that minds.

export const scheduleOverlapMigration: Migration = {
  name: "schedule-overlap",
  up: () => `
    create index flow_runs_under_way_by_schedule on flow_runs (created_by_id)
      where created_by_id is not null and state_type in ('PENDING', 'RUNNING', 'PAUSED', 'CANCELLING');
    create index deployment_schedules_that_cancel on deployment_schedules (id) where overlap = 'cancel-running';`,
};
