import type { WriteStats } from "../storage/database.ts";
import type { Metrics } from "./metrics.ts";

/** How many writes share a commit, and what a commit costs. */
export function observeWrites(metrics: Metrics): WriteStats {
  const batch = metrics.histogram({
    name: "database_commit_batch_size",
    help: "Writes that shared one commit",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  });
  const duration = metrics.histogram({
    name: "database_commit_duration_seconds",
    help: "Time the commit itself took",
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  });
  return {
    onCommit(writes, commitSeconds) {
      batch.observe(writes);
      duration.observe(commitSeconds);
    },
  };
}
