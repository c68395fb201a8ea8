import { readLags } from "../event-log/cursor.ts";
import { readHead } from "../event-log/read.ts";
import type { Database } from "../storage/database.ts";
import type { Metrics } from "./metrics.ts";

/** How long the log is and how far each consumer is behind, asked when the metrics are read. */
export function observeEventLog(metrics: Metrics, db: Database): void {
  metrics.gauge({
    name: "event_log_head_position",
    help: "Position of the newest event",
    async collect() {
      // A database that is away must not take the other metrics with it.
      const head = await readHead(db).catch(() => null);
      if (head === null) this.reset();
      else this.set(head);
    },
  });
  metrics.gauge({
    name: "event_log_lag",
    help: "Events that a consumer has not handled yet",
    labelNames: ["consumer"],
    async collect() {
      this.reset();
      const lags = await readLags(db).catch(() => []);
      for (const { name, lag } of lags) this.set({ consumer: name }, lag);
    },
  });
}
