import type { LoopHealth, LoopObserver } from "../loops/loop.ts";
import type { Metrics } from "./metrics.ts";

/** How the background loops are doing. `health` is asked when the metrics are read. */
export function observeLoops(metrics: Metrics, health: () => readonly LoopHealth[]): LoopObserver {
  const labelNames = ["loop"] as const;
  const duration = metrics.histogram({
    name: "loop_pass_duration_seconds",
    help: "Time of one pass of a loop",
    labelNames,
  });
  const lag = metrics.gauge({
    name: "loop_lag_seconds",
    help: "How late the last pass of a loop began",
    labelNames,
  });
  const failures = metrics.counter({
    name: "loop_failures_total",
    help: "Passes of a loop that failed",
    labelNames,
  });
  metrics.gauge({
    name: "loop_status",
    help: "1 for the status a loop is in: starting, ok, standby, failing, stopped",
    labelNames: ["loop", "status"],
    collect() {
      this.reset();
      for (const { name, status } of health()) this.set({ loop: name, status }, 1);
    },
  });
  return {
    onPass(loop, seconds, lateSeconds) {
      duration.observe({ loop }, seconds);
      lag.set({ loop }, lateSeconds);
    },
    onFailure: (loop) => failures.inc({ loop }),
  };
}
