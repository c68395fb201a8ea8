import type { Migration } from "@orchestrator/kernel/storage";

// Which schedules were filled by a clock that was ahead, so that whoever starts after it was put
// right looks at them again.

export const scheduleLooksMigration: Migration = {
  name: "schedule-looks",
  up: (t) => `alter table deployment_schedules add column looked_at ${t.time};`,
};
