// The door to the log and the metrics of the process.

export { createLogger, LOG_FORMATS, LOG_LEVELS, type Logger } from "./log/logger.ts";
export { OutageLog } from "./log/outage-log.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { observeEventLog } from "./metrics/observe-event-log.ts";
export { observeLoops } from "./metrics/observe-loops.ts";
export { observeWrites } from "./metrics/observe-writes.ts";
