import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** Sampling ten times a second finds a blocked loop and costs nothing that could be measured. */
const DELAY_RESOLUTION_MS = 100;

type Reading = readonly [name: string, help: string, read: () => number];

/**
 * The few numbers about the process that answer "is it well?"; all but the loop delay are read when
 * asked for.
 */
export function installProcessMetrics(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  let lastUse = performance.eventLoopUtilization();

  const readings: readonly Reading[] = [
    ["process_cpu_seconds_total", "CPU time used", () => cpuSeconds()],
    ["process_resident_memory_bytes", "Memory held", () => process.memoryUsage.rss()],
    ["process_start_time_seconds", "Start of the process", () => performance.timeOrigin / 1000],
    ["nodejs_heap_used_bytes", "JavaScript heap in use", () => process.memoryUsage().heapUsed],
    [
      "nodejs_eventloop_utilization",
      "Share of time the event loop was busy since the last reading",
      () => {
        const use = performance.eventLoopUtilization();
        const { utilization } = performance.eventLoopUtilization(use, lastUse);
        lastUse = use;
        return utilization;
      },
    ],
    [
      "nodejs_eventloop_lag_max_seconds",
      "Longest delay of the event loop since the last reading",
      () => {
        const lag = Math.max(0, delay.max / 1e9 - DELAY_RESOLUTION_MS / 1000);
        delay.reset();
        return lag;
      },
    ],
  ];
  for (const [name, help, read] of readings) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
  return () => {
    delay.disable();
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
